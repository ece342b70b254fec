package io.porteiro.server.metrics;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory this process may use: the machine's, or that of its container where that is less.
 *
 * <p>A container is a control group (version 1 or 2) with a limit. Inside a container its own group
 * is mounted as the root of the hierarchy; outside, /proc/self/cgroup names it, and the groups
 * around it count as well. The launcher chooses the heap by the same rules. All is read once: a
 * process keeps to what it was started with.
 */
public final class MachineMemory {
  /** What a Java process takes beside its heap: code, classes, stacks, the compilers' memory. */
  static final long JVM_BYTES = 64L << 20;

  /** One part in so many is left for buffers of connections and for files being written. */
  static final long BUFFERS_PART = 16;

  /** One part in so many is given to the data in any case: a server without would be none. */
  static final long LEAST_PART = 8;

  private static final Path GROUPS = Path.of("sys/fs/cgroup");
  private static final Path GROUPS_V1 = GROUPS.resolve("memory");

  private static final MachineMemory OF_THIS_PROCESS = new MachineMemory(Path.of("/"));

  private final Path root;
  private final long machineBytes;
  private final long containerBytes;

  MachineMemory(Path root) {
    this.root = root;
    machineBytes = ProcessStats.kilobytes(root.resolve("proc/meminfo"), "MemTotal:");
    containerBytes = limitFiles().stream().mapToLong(this::limit).min().orElse(Long.MAX_VALUE);
  }

  /** Of the machine this process runs on. */
  public static MachineMemory ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** Bytes of the machine, or of the container where that is less; 0 if unknown. */
  public long totalBytes() {
    return Math.min(machineBytes, containerBytes);
  }

  /**
   * What the data may take in a container beside a heap of at most so many bytes; 0, no limit,
   * outside of one. Past the container's limit the kernel ends the process, so the data must stop
   * before it.
   */
  public long limitBesideHeap(long maxHeapBytes) {
    return isContainer() ? left(maxHeapBytes) : 0;
  }

  /**
   * What data that are being loaded may take: all but what the process itself needs. They were
   * accepted once, so only what the kernel would not let live is refused.
   */
  public long limitWhileLoading() {
    return isContainer() ? left(0) : Long.MAX_VALUE;
  }

  /** Whether there is a limit that is lower than what the machine has. */
  private boolean isContainer() {
    return containerBytes < machineBytes;
  }

  private long left(long maxHeapBytes) {
    long total = totalBytes();
    return Math.max(total / LEAST_PART, total - maxHeapBytes - JVM_BYTES - total / BUFFERS_PART);
  }

  private List<Path> limitFiles() {
    List<Path> files = new ArrayList<>();
    files.add(GROUPS.resolve("memory.max"));
    files.add(GROUPS_V1.resolve("memory.limit_in_bytes"));
    for (String line : ProcessStats.lines(root.resolve("proc/self/cgroup"))) {
      addLimitFiles(line.split(":", 3), files);
    }
    return files;
  }

  /** Those of a group and of all around it; the line is "number:controllers:path". */
  private static void addLimitFiles(String[] line, List<Path> files) {
    boolean v1 = line.length == 3 && List.of(line[1].split(",")).contains("memory");
    boolean v2 = line.length == 3 && line[1].isEmpty();
    if (!v1 && !v2) {
      return;
    }
    Path group = Path.of("/").relativize(Path.of(line[2]).toAbsolutePath().normalize());
    for (Path at = group; at != null && !at.toString().isEmpty(); at = at.getParent()) {
      files.add(
          v1
              ? GROUPS_V1.resolve(at).resolve("memory.limit_in_bytes")
              : GROUPS.resolve(at).resolve("memory.max"));
    }
  }

  /** The limit in a file; none where there is no such file, or no number in it. */
  private long limit(Path file) {
    return ProcessStats.lines(root.resolve(file)).stream()
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,18}"))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(Long.MAX_VALUE);
  }
}
