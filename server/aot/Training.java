import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes the ahead-of-time cache that server/bin/porteiro-server starts with: classes that are loaded
 * and linked already (JEP 483, 514), without profiles for the compilers (JEP 515). The Java virtual
 * machine writes it when a server ends that has done here what servers do.
 *
 * <p>Run by server/aot/train, with the launcher, the file to write, and the folder of native
 * libraries.
 */
final class Training {
  private static final int PIPELINED = 16;

  /** Enough for filters to grow and counters to become dense. */
  private static final int COMMANDS = 10_000;

  private static final int START_SECONDS = 60;
  private static final int END_SECONDS = 120; // the cache is written then

  /**
   * Profiles would have the compilers busy with this training's commands at each start; and the code
   * that they are compiled to is no better than that of profiles of the real load.
   */
  private static final String WITHOUT_PROFILES =
      " -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining";

  /** One of each kind. Those in one line are sent at once. */
  private static final List<String> ONCE =
      List.of(
          "HELLO 3",
          "CLIENT SETINFO LIB-NAME training",
          "CLIENT ID",
          "COMMAND DOCS",
          "CONFIG GET *",
          "INFO everything",
          "BF.RESERVE names 0.001 1000",
          "BF.MADD names a b c",
          "BF.MEXISTS names a b c",
          "BF.INSERT others CAPACITY 100 ITEMS a b",
          "BF.INFO names",
          "BF.CARD names",
          "BF.SCANDUMP names 0",
          "PFADD first a b c",
          "PFADD second c d e",
          "PFCOUNT first second",
          "PFMERGE all first second",
          "SET key value EX 100",
          "MSET a 1 b 2",
          "MGET a b",
          "INCR a",
          "APPEND b x",
          "EXPIRE b 100",
          "TTL b",
          "TYPE names",
          "SCAN 0",
          "KEYS *",
          "DUMP all",
          "RENAME a c",
          "COPY c d",
          "DEL c d",
          "MULTI; SET key other; PFADD first d; EXEC",
          "SUBSCRIBE channel",
          "PUBLISH channel message",
          "UNSUBSCRIBE",
          "BGSAVE",
          "BGREWRITEAOF",
          "SLOWLOG GET",
          "LATENCY LATEST",
          "MEMORY USAGE names",
          "OBJECT ENCODING key",
          "DBSIZE",
          "HELLO 2");

  private final Path launcher;
  private final Path cache;
  private final Path nativeLibraries;
  private final Path directory;
  private final int port = freePort();
  private final int httpPort = freePort();

  private Training(Path launcher, Path cache, Path nativeLibraries) throws IOException {
    this.launcher = launcher;
    this.cache = cache;
    this.nativeLibraries = nativeLibraries;
    this.directory = Files.createTempDirectory("porteiro-training-");
  }

  public static void main(String[] arguments) throws Exception {
    Training training =
        new Training(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    try {
      training.run();
    } finally {
      training.deleteDirectory();
    }
  }

  private void run() throws Exception {
    Files.deleteIfExists(cache);
    Process server = start();
    try {
      awaitStart(server);
      play();
      end(server);
    } finally {
      server.destroyForcibly().waitFor();
    }
    if (!Files.exists(cache)) {
      throw new IOException("no cache was written; the server said:\n" + log());
    }
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            launcher.toString(),
            "--port", String.valueOf(port),
            "--bind", "127.0.0.1",
            "--http-port", String.valueOf(httpPort),
            "--dir", directory.toString());
    builder
        .environment()
        .put(
            "PORTEIRO_JAVA_OPTS",
            ("-XX:AOTCacheOutput=%s -Djava.library.path=%s" + WITHOUT_PROFILES)
                .formatted(cache, nativeLibraries));
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    return builder.start();
  }

  private void awaitStart(Process server) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answers()) {
      if (!server.isAlive() || System.nanoTime() > deadline) {
        throw new IOException("the server does not start:\n" + log());
      }
      Thread.sleep(20);
    }
  }

  private boolean answers() {
    try (Client client = new Client(port)) {
      return client.calls(List.of("PING")).startsWith("+PONG");
    } catch (IOException _) {
      return false; // not yet
    }
  }

  private void play() throws Exception {
    try (Client client = new Client(port)) {
      for (String commands : ONCE) {
        perform(client, commands);
      }
      load(client, i -> "BF.ADD names name:" + i);
      load(client, i -> "BF.EXISTS names name:" + i * 2);
      load(client, i -> "PFADD first " + i);
      load(client, i -> "SET key:" + i % 100 + " " + i);
      load(client, i -> "GET key:" + i % 200);
      load(client, i -> i % 2 == 0 ? "PFADD second " + i : "PFCOUNT second");
    }
    for (String path : List.of("/livez", "/readyz", "/metrics", "/")) {
      get(path);
    }
  }

  private static void perform(Client client, String commands) throws IOException {
    String reply = client.calls(List.of(commands.split("; ")));
    if (reply.startsWith("-")) {
      throw new IOException(commands + " is answered with " + reply);
    }
  }

  private static void load(Client client, IntFunction<String> command) throws IOException {
    for (int i = 0; i < COMMANDS; i += PIPELINED) {
      client.calls(IntStream.range(i, i + PIPELINED).mapToObj(command).toList());
    }
  }

  private void get(String path) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      URI address = URI.create("http://127.0.0.1:" + httpPort + path);
      http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }
  }

  private void end(Process server) throws IOException, InterruptedException {
    server.destroy();
    if (!server.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the server does not end:\n" + log());
    }
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  private void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Sends lines as requests; a reply is over when that of the PING behind it is there. */
  private static final class Client implements AutoCloseable {
    private static final String MARK = "training-mark";

    private final Socket socket;
    private final InputStream in;

    Client(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      in = new BufferedInputStream(socket.getInputStream());
    }

    String calls(List<String> commands) throws IOException {
      String requests =
          Stream.concat(commands.stream(), Stream.of("ECHO " + MARK))
              .map(Client::request)
              .collect(Collectors.joining());
      socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
      return untilMark();
    }

    private static String request(String command) {
      String[] words = command.split(" ");
      return Stream.of(words)
          .map(word -> "$" + word.length() + "\r\n" + word + "\r\n")
          .collect(Collectors.joining("", "*" + words.length + "\r\n", ""));
    }

    private String untilMark() throws IOException {
      StringBuilder replies = new StringBuilder();
      while (replies.indexOf(MARK + "\r\n", Math.max(0, replies.length() - 100)) < 0) {
        int next = in.read();
        if (next < 0) {
          throw new IOException("the server closed the connection after: " + replies);
        }
        replies.append((char) next);
      }
      return replies.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
