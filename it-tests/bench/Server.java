import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A server under test, as a process with a directory of its own, and one connection to it. */
final class Server implements AutoCloseable {
  private static final int PIPELINE = 1000;

  private final Path directory;
  private final List<String> command;
  private final int port;
  private Process process;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private int unanswered;

  Server(Path parent, String program, String... options) throws IOException {
    directory = Files.createTempDirectory(parent, "snapshot-bench-");
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    command = new ArrayList<>(List.of(program, "--port", "" + port, "--dir", "" + directory));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    command.addAll(List.of(options));
    start();
  }

  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    String answer = "";
    while (!answer.startsWith("+PONG")) {
      try {
        pause(20);
        socket = new Socket("127.0.0.1", port);
        in = new BufferedInputStream(socket.getInputStream());
        out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        answer = call("PING");
      } catch (IOException e) {
        if (!process.isAlive()) {
          throw e;
        }
      }
    }
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  /** The first line of the reply, or of a bulk its text. */
  String call(String... words) throws IOException {
    return callBytes(Stream.of(words).map(Workload::bytes).toArray(byte[][]::new));
  }

  String callBytes(byte[]... arguments) throws IOException {
    out.write(Workload.command(arguments));
    out.flush();
    return reply();
  }

  private String reply() throws IOException {
    String line = line();
    if (line.startsWith("$") && !line.equals("$-1")) {
      byte[] bulk = in.readNBytes(Integer.parseInt(line.substring(1)));
      line();
      return new String(bulk, ISO_8859_1);
    }
    if (line.startsWith("-") && !line.startsWith("-LOADING")) {
      throw new IllegalStateException(line);
    }
    return line;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("closed");
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  void pipeline(byte[]... arguments) throws IOException {
    out.write(Workload.command(arguments));
    unanswered++;
    if (unanswered == PIPELINE) {
      await();
    }
  }

  void await() throws IOException {
    out.flush();
    for (; unanswered > 0; unanswered--) {
      reply();
    }
  }

  /** The bytes of the bit arrays of a filter with one link. */
  long info(String filter) throws IOException {
    long bytes = Long.parseLong(call("BF.INFO", filter, "SIZE").replaceAll("[^0-9]", ""));
    if (bytes < 1000) { // the line announced an array
      bytes = Long.parseLong(reply().replaceAll("[^0-9]", ""));
    }
    return bytes - 96;
  }

  /** A field of INFO. */
  String field(String section, String name) throws IOException {
    for (String line : call("INFO", section).split("\r\n")) {
      if (line.startsWith(name + ":")) {
        return line.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** Resident bytes of the process and its children: Redis forks to save. */
  long residentBytes() throws IOException {
    long sum = pssBytes(process.pid());
    for (ProcessHandle child : process.descendants().toList()) {
      sum += pssBytes(child.pid());
    }
    return sum;
  }

  /** Pages that are shared with a fork count once, in halves. */
  private static long pssBytes(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
      return lines
          .filter(line -> line.startsWith("Pss:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .sum();
    } catch (IOException | java.io.UncheckedIOException e) {
      return 0; // it has just ended
    }
  }

  long fileBytes() throws IOException {
    return Files.size(directory.resolve("dump.rdb"));
  }

  /** Ends it without saving, so that it can be started again on its file. */
  void stop() throws Exception {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws Exception {
    stop();
    for (String name : List.of("dump.rdb", "log")) {
      Files.deleteIfExists(directory.resolve(name));
    }
    try (Stream<Path> rest = Files.list(directory)) {
      rest.forEach(file -> file.toFile().delete());
    }
    Files.delete(directory);
  }
}
