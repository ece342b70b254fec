package io.porteiro.server.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the system says of this process. Where it says nothing, figures are 0. */
public final class ProcessStats {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path STAT = Path.of("/proc/self/stat");

  /** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
  private static final double TICKS_PER_SECOND = 100;

  /** Fields of /proc/self/stat, counted from behind the command's name. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;
  private static final int CHILDREN_USER_TICKS = 13;
  private static final int CHILDREN_SYSTEM_TICKS = 14;

  private static final Path FILES = Path.of("/proc/self/fd");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final Path THREADS = Path.of("/proc/self/task");

  private ProcessStats() {}

  /** Bytes of memory that are resident now. */
  public static long residentBytes() {
    return kilobytes(STATUS, "VmRSS:");
  }

  /** Bytes of address space. */
  public static long virtualBytes() {
    return kilobytes(STATUS, "VmSize:");
  }

  /** Files and sockets that are open now. */
  public static long openFiles() {
    try (Stream<Path> all = Files.list(FILES)) {
      return all.count();
    } catch (IOException e) {
      return 0; // not Linux
    }
  }

  /** How many files and sockets may be open. */
  public static long maxOpenFiles() {
    return lines(LIMITS).stream()
        .filter(line -> line.startsWith("Max open files"))
        .map(line -> line.replaceFirst("\\D+", "").replaceFirst("\\s.*", ""))
        .filter(soft -> !soft.isEmpty())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }

  /** Seconds of processor time spent in the process's own code. */
  public static double userSeconds() {
    return seconds(USER_TICKS);
  }

  /** Seconds of processor time spent in the kernel on behalf of the process. */
  public static double systemSeconds() {
    return seconds(SYSTEM_TICKS);
  }

  /** As {@link #userSeconds}, of child processes that have ended. */
  public static double childrenUserSeconds() {
    return seconds(CHILDREN_USER_TICKS);
  }

  /** As {@link #systemSeconds}, of child processes that have ended. */
  public static double childrenSystemSeconds() {
    return seconds(CHILDREN_SYSTEM_TICKS);
  }

  /** As {@link #userSeconds}, of the threads whose name begins so. */
  public static double userSecondsOf(String threads) {
    return secondsOf(threads, USER_TICKS);
  }

  /** As {@link #systemSeconds}, of the threads whose name begins so. */
  public static double systemSecondsOf(String threads) {
    return secondsOf(threads, SYSTEM_TICKS);
  }

  private static double secondsOf(String threads, int field) {
    try (Stream<Path> all = Files.list(THREADS)) {
      return all.map(thread -> lines(thread.resolve("stat")))
          .filter(lines -> !lines.isEmpty() && lines.getFirst().contains("(" + threads))
          .mapToDouble(lines -> seconds(lines.getFirst(), field))
          .sum();
    } catch (IOException e) {
      return 0; // not Linux
    }
  }

  private static double seconds(int field) {
    List<String> lines = lines(STAT);
    return lines.isEmpty() ? 0 : seconds(lines.getFirst(), field);
  }

  private static double seconds(String line, int field) {
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[field]) / TICKS_PER_SECOND;
  }

  /** Of a file of the system's; none where it has no such file. */
  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of(); // not Linux, or no such control group
    }
  }

  /** The figure behind a heading, in bytes; 0 where there is none. */
  static long kilobytes(Path file, String heading) {
    for (String line : lines(file)) {
      if (line.startsWith(heading)) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return 0;
  }

  /** Bytes of the Java heap in use. */
  public static long heapBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
