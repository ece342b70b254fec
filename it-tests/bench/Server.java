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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * A server under test, as a process with a directory of its own, and one connection to it; or one
 * that somebody else has started.
 */
final class Server implements AutoCloseable {
  private static final int PIPELINE = 1000;

  private final Path directory;
  private final List<String> command;
  private final Map<String, String> environment;
  private final int port;
  private volatile Process process;
  private long pid;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private int unanswered;

  /** Keeps nothing on the disk, if the options do not say otherwise. */
  Server(Path parent, String program, String... options) throws IOException {
    this(
        parent,
        Map.of(),
        List.of(program),
        Stream.concat(Stream.of("--save", "", "--appendonly", "no"), Stream.of(options)).toList());
    start();
  }

  /** Is not started yet. */
  Server(Path parent, Map<String, String> environment, List<String> program, List<String> options)
      throws IOException {
    directory = Files.createTempDirectory(parent, "bench-");
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    command = new ArrayList<>(program);
    command.addAll(List.of("--port", "" + port, "--dir", "" + directory));
    command.addAll(options);
    this.environment = environment;
  }

  /** One that is there already; without a process id (0) its processor time is not known. */
  Server(int port, long pid) throws IOException {
    directory = null;
    command = List.of();
    environment = Map.of();
    this.port = port;
    this.pid = pid;
    connect();
  }

  /** Returns when it answers. */
  void start() throws IOException {
    start(20);
  }

  /** Asks so often whether it answers. */
  void start(long pollMs) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    process =
        builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile()).start();
    pid = process.pid();
    while (!answers()) {
      pause(pollMs);
    }
  }

  private boolean answers() throws IOException {
    try {
      if (socket == null) {
        connect();
      }
      return call("PING").startsWith("+PONG");
    } catch (IOException e) {
      socket = null;
      if (!process.isAlive()) {
        throw new IOException(command + ":\n" + Files.readString(directory.resolve("log")), e);
      }
      return false;
    }
  }

  private void connect() throws IOException {
    socket = new Socket("127.0.0.1", port);
    in = new BufferedInputStream(socket.getInputStream());
    out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
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

  long pid() {
    return pid;
  }

  Path directory() {
    return directory;
  }

  /** The line of the reply, of a bulk its text, of an array all that parted by spaces. */
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
    if (line.startsWith("*")) {
      return array(Integer.parseInt(line.substring(1)));
    }
    if (line.startsWith("-") && !line.startsWith("-LOADING")) {
      throw new IllegalStateException(line);
    }
    return line;
  }

  private String array(int length) throws IOException {
    StringJoiner elements = new StringJoiner(" ");
    for (int i = 0; i < length; i++) {
      elements.add(reply());
    }
    return elements.toString();
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

  void pipeline(String... words) throws IOException {
    pipeline(Stream.of(words).map(Workload::bytes).toArray(byte[][]::new));
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
    return number("BF.INFO", filter, "SIZE") - 96;
  }

  /** A reply that is a number, or an array with one. */
  long number(String... words) throws IOException {
    return Long.parseLong(call(words).substring(1));
  }

  boolean knows(String command) throws IOException {
    return call("COMMAND", "INFO", command).contains(command.toLowerCase(Locale.ROOT));
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

  /**
   * Resident bytes of the process and its children: Redis forks to save, and what is shared with a
   * fork counts once. A process alone is asked in a way that costs it nothing; to tell what is
   * shared the kernel walks all its pages.
   */
  long residentBytes() throws IOException {
    List<ProcessHandle> children = process.descendants().toList();
    if (children.isEmpty()) {
      return residentSetBytes();
    }
    long sum = pssBytes(pid);
    for (ProcessHandle child : children) {
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

  /** What ps shows: pages that are shared with other processes count in full. */
  long residentSetBytes() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .sum();
    }
  }

  long fileBytes() throws IOException {
    return Files.size(directory.resolve("dump.rdb"));
  }

  /** Ends it without saving, so that it can be started again on its file. */
  void stop() throws Exception {
    kill();
    if (process != null) {
      process.waitFor();
    }
    socket = null;
  }

  /** Does not wait. Leaves alone what others have started. */
  void kill() {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  @Override
  public void close() throws Exception {
    stop();
    if (directory != null) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }
}
