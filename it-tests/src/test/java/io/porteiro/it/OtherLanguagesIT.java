package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.clients.ClientCheck;
import io.porteiro.it.clients.NodePackages;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RedisProcess.Output;
import io.porteiro.it.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Stock clients of other languages work: each plays the subjects of {@link ClientCheck}. Where a
 * package registry does not answer, or a package of the system is missing (`.ci/run` installs
 * them), the test is reported as skipped, with that reason.
 */
class OtherLanguagesIT {
  private static final Path PROGRAMS = ServerProcess.root().resolve("it-tests/clients");
  private static final String PYTHON = "/usr/bin/python3"; // the one that has Debian's packages

  private static ServerProcess server;

  @BeforeAll
  static void start() {
    server = ServerProcess.started("--requirepass", ClientCheck.PASSWORD);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"redis, 2", "redis, 3", "ioredis, 2", "ioredis, 3"})
  void node_playingAllSubjects_passes(String client, int protocol) {
    ClientCheck.run(server, protocol, NodePackages.installed(), "node", client + ".mjs");
  }

  @Test
  void python_playingAllSubjects_passes() {
    Path directory = PROGRAMS.resolve("python");
    Output found = RedisProcess.run(directory, PYTHON, "-c", "import redis");
    Assumptions.assumeTrue(found.exitCode() == 0, "python3-redis is not installed");
    ClientCheck.run(server, 2, directory, PYTHON, "check.py");
  }

  @Test
  void c_playingAllSubjects_passes() throws IOException {
    Path directory = Files.createDirectories(ServerProcess.root().resolve("it-tests/target/c"));
    compile(directory);
    ClientCheck.run(server, 2, directory, "./check");
  }

  private static void compile(Path directory) {
    RedisProcess.assumeInstalled("gcc");
    String source = PROGRAMS.resolve("c/check.c").toString();
    String warnings = "-std=gnu11 -Wall -Wextra -Werror";
    Output compiler =
        RedisProcess.run(
            directory, "sh", "-c", "gcc " + warnings + " -o check \"$0\" -lhiredis", source);
    Assumptions.assumeFalse(
        compiler.text().contains("hiredis.h: No such file"), "libhiredis-dev is not installed");
    assertThat(compiler.exitCode()).as(compiler.text()).isZero();
  }
}
