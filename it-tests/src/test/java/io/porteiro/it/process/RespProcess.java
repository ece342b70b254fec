package io.porteiro.it.process;

import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;

/**
 * A server that speaks the Redis protocol, as a child process on a free loopback port with a
 * temporary directory of its own. It can be stopped, killed and started again on the same directory
 * and port; {@link #close} kills what runs and removes the directory.
 */
public abstract class RespProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final int SHOWN_LOG_CHARS = 4000;

  private static final int FIRST_PORT = 10_000;
  private static final int PORTS = 20_000;
  private static final AtomicInteger NEXT_PORT = new AtomicInteger(new Random().nextInt(PORTS));

  private final Path directory;
  private final Path log;
  private final int port;
  private final List<String> arguments;
  private @Nullable Process process;

  RespProcess(List<String> arguments) {
    this.arguments = List.copyOf(arguments);
    directory = temporaryDirectory();
    log = directory.resolve("server.log");
    port = freePort();
  }

  /** The command line that starts the server, without the options every test server gets. */
  abstract List<String> command();

  Map<String, String> environment() {
    return Map.of();
  }

  // ------------------------------------------------------------------ life

  /** Starts the process without waiting for it to answer. */
  public void launch(String... moreArguments) {
    launch(commandLine(List.of(), moreArguments));
  }

  /** Starts the process with a configuration file, which comes before the options. */
  public void startWithConfig(Path file, String... moreArguments) {
    launch(commandLine(List.of(file.toString()), moreArguments));
    awaitPong();
  }

  /** Runs the program with these arguments and no others, to its end; the exit code. */
  public int runAlone(String... onlyArguments) {
    launch(Stream.concat(command().stream(), Stream.of(onlyArguments)).toList());
    return awaitExit();
  }

  private void launch(List<String> commandLine) {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("already running");
    }
    ProcessBuilder builder = new ProcessBuilder(commandLine);
    builder.directory(directory.toFile());
    builder.environment().putAll(environment());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> commandLine(List<String> first, String... moreArguments) {
    List<String> line = new ArrayList<>(command());
    line.addAll(first);
    line.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    line.addAll(List.of("--dir", directory.toString()));
    line.addAll(arguments);
    line.addAll(List.of(moreArguments));
    return line;
  }

  /** Starts the process and waits until it answers PING with PONG. */
  public void start(String... moreArguments) {
    launch(moreArguments);
    awaitPong();
  }

  /** Waits until the server has loaded its data and answers; fails where it ends instead. */
  public void awaitPong() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!answers()) {
      if (!isAlive()) {
        throw new IllegalStateException("the server ended instead of starting:\n" + logTail());
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no PONG in " + START_LIMIT + ":\n" + logTail());
      }
      sleep(Duration.ofMillis(10));
    }
  }

  private boolean answers() {
    try (RawConnection connection = RawConnection.open(port)) {
      logIn(connection);
      return ready(connection.call("PING"));
    } catch (UncheckedIOException _) {
      return false; // not listening yet
    }
  }

  /** Without it a server that is still loading would look ready: it asks for the password first. */
  private void logIn(RawConnection connection) {
    int option = arguments.indexOf("--requirepass");
    if (option >= 0) {
      connection.call("AUTH", arguments.get(option + 1));
    }
  }

  private static boolean ready(Reply reply) {
    return reply.equals(new Reply.Simple("PONG"))
        || (reply instanceof Reply.Failure(String text) && text.startsWith("NOAUTH"));
  }

  /** Waits for the process to end by itself; its exit code. */
  public int awaitExit() {
    Process running = running();
    try {
      if (!running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("still runs after " + STOP_LIMIT + ":\n" + logTail());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return running.exitValue();
  }

  /** Starts the process where it is expected to refuse; its exit code. */
  public int startExpectingExit(String... moreArguments) {
    launch(moreArguments);
    return awaitExit();
  }

  /** SIGTERM; the exit code. */
  public int stop() {
    running().destroy();
    return awaitExit();
  }

  /** SIGKILL: nothing can be saved any more. */
  public void kill() {
    running().destroyForcibly();
    awaitExit();
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("never started");
    }
    return process;
  }

  // ------------------------------------------------------------------ what it left

  public int port() {
    return port;
  }

  public long pid() {
    return running().pid();
  }

  public Path directory() {
    return directory;
  }

  public Path rdbFile() {
    return directory.resolve("dump.rdb");
  }

  /** The directory of the append-only log. */
  public Path logDirectory() {
    return directory.resolve("appendonlydir");
  }

  /** What the process wrote to its standard output and error, over all its starts. */
  public String log() {
    try {
      return Files.exists(log) ? Files.readString(log, StandardCharsets.ISO_8859_1) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Forgets the log so far, so that the next start's stands alone. */
  public void clearLog() {
    try {
      Files.write(
          log, new byte[0], StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String logTail() {
    String text = log();
    return text.substring(Math.max(0, text.length() - SHOWN_LOG_CHARS));
  }

  /** Resident memory in bytes, as the kernel counts it. */
  public long residentBytes() {
    return statusKib("VmRSS") * 1024;
  }

  /** The most resident memory the process ever had, in bytes. */
  public long peakResidentBytes() {
    return statusKib("VmHWM") * 1024;
  }

  private long statusKib(String field) {
    try {
      String status = Files.readString(Path.of("/proc/" + pid() + "/status"));
      Matcher line = Pattern.compile(field + ":\\s*(\\d+) kB").matcher(status);
      if (!line.find()) {
        throw new IllegalStateException("no " + field + " in\n" + status);
      }
      return Long.parseLong(line.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ------------------------------------------------------------------ talking to it

  /** A raw connection; replies are awaited for five seconds. */
  public RawConnection connect() {
    return RawConnection.open(port);
  }

  /** One command on a connection of its own, logged in; its reply is awaited for a minute. */
  public Reply call(String... args) {
    try (RawConnection connection = connect().patience(Duration.ofMinutes(1))) {
      logIn(connection);
      return connection.call(args);
    }
  }

  public Jedis jedis() {
    return new Jedis("127.0.0.1", port, 60_000);
  }

  public Jedis jedis(JedisClientConfig config) {
    return new Jedis(new HostAndPort("127.0.0.1", port), config);
  }

  /** Jedis's pooled client with all commands, modules' included. */
  public RedisClient client(RedisProtocol protocol) {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", port))
        .clientConfig(
            DefaultJedisClientConfig.builder().protocol(protocol).timeoutMillis(60_000).build())
        .build();
  }

  @Override
  public void close() {
    if (isAlive()) {
      kill();
    }
    deleteRecursively(directory);
  }

  // ------------------------------------------------------------------ surroundings

  static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * A port that was free a moment ago and is given to no other test: classes run side by side. It
   * is below those that the kernel gives to clients, so that none of them takes it either.
   */
  public static int freePort() {
    for (int i = 0; i < PORTS; i++) {
      int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException _) {
      return false;
    }
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("porteiro-it-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteRecursively(Path root) {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
