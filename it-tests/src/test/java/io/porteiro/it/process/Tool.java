package io.porteiro.it.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command line tool that runs on until it is closed, and whose output is watched meanwhile; on a
 * terminal where the tool asks for one.
 */
public final class Tool implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String ESCAPE_SEQUENCES = "\u001b\\[[0-9;?]*[a-zA-Z]";

  private final Process process;
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();

  private Tool(List<String> command) {
    RedisProcess.assumeInstalled(command.getFirst());
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().put("TERM", "xterm");
      builder.environment().put("HOME", "/nonexistent"); // no history, no settings
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::collect);
  }

  /** The tool with pipes. */
  public static Tool start(String... command) {
    return new Tool(List.of(command));
  }

  /** The tool on a terminal of its own. Its words must need no quoting. */
  public static Tool onTerminal(String... command) {
    RedisProcess.assumeInstalled(command[0]);
    String sized = "stty cols 200 rows 50; exec " + String.join(" ", command);
    return new Tool(List.of("script", "-qec", sized, "/dev/null"));
  }

  private void collect() {
    byte[] bytes = new byte[8192];
    try (InputStream in = process.getInputStream()) {
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        synchronized (output) {
          output.write(bytes, 0, count);
          output.notifyAll();
        }
      }
    } catch (IOException e) {
      // closed: the process was ended
    }
  }

  /** Types so many bytes. */
  public void type(String text) {
    try {
      OutputStream in = process.getOutputStream();
      in.write(text.getBytes(StandardCharsets.ISO_8859_1));
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a text was printed since the last call; what was printed up to its end. */
  public String await(String text) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    synchronized (output) {
      while (true) {
        String printed = output.toString(StandardCharsets.ISO_8859_1);
        int end = printed.replaceAll(ESCAPE_SEQUENCES, "").indexOf(text);
        if (end >= 0) {
          output.reset();
          return printed.replaceAll(ESCAPE_SEQUENCES, "");
        }
        await(deadline, text, printed);
      }
    }
  }

  private void await(long deadline, String text, String printed) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (leftMs <= 0) {
      throw new IllegalStateException("'" + text + "' was not printed, but\n" + printed);
    }
    try {
      output.wait(leftMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends the tool, with what it may have started. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
