package io.porteiro.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program in another language that plays all {@link #SUBJECTS} with its client library. It prints
 * {@code ok SUBJECT} for each that passed, and {@code restart} where it wants the server killed and
 * started again; then it waits for a line.
 */
public final class ClientCheck {
  /** What every client has to do; a program that leaves one out has failed. */
  public static final List<String> SUBJECTS =
      List.of(
          "handshake",
          "bloom",
          "chunks",
          "hyperloglog",
          "strings",
          "pipeline",
          "manyPipelined",
          "transaction",
          "abortedTransaction",
          "publishSubscribe",
          "errors",
          "bigValues",
          "binaryKeys",
          "scan",
          "restart");

  /** The server's password while it is checked. */
  public static final String PASSWORD = "open sesame";

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final ServerProcess server;
  private final ProcessBuilder builder;
  private final List<String> output = new ArrayList<>();

  private ClientCheck(ServerProcess server, ProcessBuilder builder) {
    this.server = server;
    this.builder = builder;
  }

  /** Runs a program that speaks this protocol version; fails unless every subject passes. */
  public static void run(ServerProcess server, int protocol, Path directory, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.redirectErrorStream(true);
    builder.environment().put("PORTEIRO_PORT", Integer.toString(server.port()));
    builder.environment().put("PORTEIRO_PASSWORD", PASSWORD);
    builder.environment().put("PORTEIRO_PROTOCOL", Integer.toString(protocol));
    new ClientCheck(server, builder).run();
  }

  private void run() {
    try {
      int exitCode = play(builder.start());
      assertThat(output).as(this::transcript).containsAll(passed());
      assertThat(exitCode).as(this::transcript).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> passed() {
    return SUBJECTS.stream().map(subject -> "ok " + subject).toList();
  }

  private String transcript() {
    return String.join(" ", builder.command()) + " printed:\n" + String.join("\n", output) + "\n";
  }

  private int play(Process program) throws IOException {
    Thread limit = Thread.ofVirtual().start(() -> killWhenLate(program));
    try (BufferedReader lines = program.inputReader(StandardCharsets.UTF_8);
        Writer answers = program.outputWriter(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(line);
        if (line.equals("restart")) {
          restart(answers);
        }
      }
      return program.onExit().join().exitValue();
    } finally {
      program.destroyForcibly();
      limit.interrupt();
    }
  }

  private void killWhenLate(Process program) {
    try {
      if (!program.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        program.destroyForcibly();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // it ended in time
    }
  }

  private void restart(Writer answers) throws IOException {
    server.kill();
    server.start();
    answers.write("restarted\n");
    answers.flush();
  }
}
