package io.porteiro.it.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Redis to compare with. Where no {@code redis-server} is on the PATH, the tests that need
 * one are reported as skipped.
 */
public final class RedisProcess extends RespProcess {
  private RedisProcess(List<String> arguments) {
    super(arguments);
  }

  public static RedisProcess started(String... arguments) {
    RedisProcess redis = prepared(arguments);
    redis.start();
    return redis;
  }

  /** A Redis not started yet: its directory can be filled first. */
  public static RedisProcess prepared(String... arguments) {
    assumeInstalled("redis-server");
    return new RedisProcess(
        Stream.concat(
                Stream.of("--save", "", "--enable-debug-command", "yes"), Stream.of(arguments))
            .toList());
  }

  @Override
  List<String> command() {
    return List.of("redis-server");
  }

  /** Skips the running test where {@code tool}, a name or an absolute path, is not there. */
  public static void assumeInstalled(String tool) {
    Assumptions.assumeTrue(isInstalled(tool), tool + " is not on the PATH");
  }

  private static boolean isInstalled(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder).resolve(tool)));
  }

  /** What a command line tool printed (standard error too), and its exit code. */
  public record Output(int exitCode, String text) {}

  /** Runs one of Redis's command line tools in a directory, to its end. */
  public static Output run(Path directory, String... command) {
    return run(new ProcessBuilder(command).directory(directory.toFile()), command[0]);
  }

  /** Runs one of Redis's command line tools with a file as its standard input, to its end. */
  public static Output runWithInput(Path input, String... command) {
    return run(new ProcessBuilder(command).redirectInput(input.toFile()), command[0]);
  }

  private static Output run(ProcessBuilder builder, String tool) {
    assumeInstalled(tool);
    try {
      Process process = builder.redirectErrorStream(true).start();
      process.getOutputStream().close();
      byte[] text = process.getInputStream().readAllBytes();
      return new Output(process.waitFor(), new String(text, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
