package io.porteiro.it.clients;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The Node clients in the versions of the lock file, installed beside a copy of their scripts under
 * {@code target}, so that the source tree stays clean.
 */
public final class NodePackages {
  private static final Path SOURCES = ServerProcess.root().resolve("it-tests/clients/node");
  private static final Path INSTALLED = ServerProcess.root().resolve("it-tests/target/node");
  private static final Path MARK = INSTALLED.resolve("installed-lock.json");
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** What npm says where the registry cannot be reached or is out of order. */
  private static final Pattern NO_ANSWER =
      Pattern.compile(
          "E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH)"
              + "|ERR_SOCKET_TIMEOUT|code E(429|5\\d\\d)");

  private NodePackages() {}

  /**
   * The folder with scripts and packages. Skips the running test where the registry does not
   * answer, or where there is no {@code npm}.
   */
  public static Path installed() {
    RedisProcess.assumeInstalled("npm");
    try {
      copySources();
      if (!isCurrent()) {
        install();
      }
      return INSTALLED;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copySources() throws IOException {
    Files.createDirectories(INSTALLED);
    try (Stream<Path> sources = Files.list(SOURCES)) {
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        Path copy = INSTALLED.resolve(source.getFileName().toString());
        Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static boolean isCurrent() throws IOException {
    return Files.exists(MARK) && Files.mismatch(MARK, lockFile()) < 0;
  }

  private static Path lockFile() {
    return SOURCES.resolve("package-lock.json");
  }

  private static void install() throws IOException {
    Path log = INSTALLED.resolve("npm.log");
    Process npm =
        new ProcessBuilder("npm", "ci", "--no-progress", "--ignore-scripts")
            .directory(INSTALLED.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = awaitEnd(npm);
    String said = Files.readString(log, StandardCharsets.UTF_8);
    Assumptions.assumeTrue(ended, "The npm registry did not answer within " + LIMIT);
    Assumptions.assumeFalse(
        npm.exitValue() != 0 && NO_ANSWER.matcher(said).find(),
        "The npm registry did not answer: " + said);
    if (npm.exitValue() != 0) {
      throw new IllegalStateException("npm ci failed:\n" + said);
    }
    Files.copy(lockFile(), MARK, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean awaitEnd(Process npm) {
    try {
      return npm.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      npm.destroyForcibly();
    }
  }
}
