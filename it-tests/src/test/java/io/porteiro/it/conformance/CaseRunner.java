package io.porteiro.it.conformance;

import io.porteiro.it.conformance.ConformanceCase.Step;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Special;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Plays one case against a server and says what did not come back as expected. */
public final class CaseRunner {
  /** Which answer counts where the recorded one is a bug of the recorded server. */
  public enum Bugs {
    /** Only the right answer. */
    FIXED,
    /** The recorded one or the right one: for servers that have the bugs. */
    EITHER
  }

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration QUIET = Duration.ofMillis(80);
  private static final Duration SILENCE = Duration.ofMillis(150);
  private static final Pattern SPLIT = Pattern.compile("(.*?)\\s+split\\s+(\\d+)");

  private final int port;
  private final Bugs bugs;
  private final boolean resp3;
  private final Map<Integer, RawConnection> connections = new HashMap<>();
  private final Map<String, Reply> saved = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private @Nullable Reply last;
  private String lastSent = "";

  private CaseRunner(int port, Bugs bugs, boolean resp3) {
    this.port = port;
    this.bugs = bugs;
    this.resp3 = resp3;
  }

  /**
   * Empties the server and plays the case to its end, also after a mismatch: later steps may
   * restore settings.
   *
   * @return a text for each mismatch; none if the case passed
   */
  public static List<String> play(ConformanceCase conformanceCase, int port, Bugs bugs) {
    CaseRunner runner = new CaseRunner(port, bugs, conformanceCase.tags().contains("resp3"));
    runner.flushAll();
    conformanceCase.steps().forEach(runner::playGuarded);
    runner.connections.values().forEach(RawConnection::close);
    return runner.failures;
  }

  private void flushAll() {
    try (RawConnection control = RawConnection.open(port).patience(Duration.ofSeconds(30))) {
      Reply reply = control.call("FLUSHALL");
      if (!reply.equals(new Reply.Simple("OK"))) {
        throw new IllegalStateException("FLUSHALL: " + Notation.lines(reply));
      }
    }
  }

  private void playGuarded(Step step) {
    try {
      play(step);
    } catch (RuntimeException e) {
      fail(step, step.expected(), List.of(e.toString()));
    }
  }

  private void play(Step step) {
    switch (step.op()) {
      case WAIT -> pause(Duration.ofMillis(Long.parseLong(step.argument())));
      case OPEN -> connection(connectionNumber(step));
      case CLOSE -> close(connectionNumber(step));
      case SAVE -> save(step);
      case SEND_ONLY -> connection(step.connection()).send(arguments(step));
      case RAW_SEND -> rawSend(step);
      case RAW_READ -> rawRead(step);
      case SEND -> check(step, call(step));
      case READ -> check(step, connection(step.connection()).read());
      case READ_NOTHING -> check(step, nothing(step));
      case GENERATE ->
          check(step, new Generator(connection(step.connection()), words(step.argument())).run());
    }
  }

  // ------------------------------------------------------------------ connections

  private static int connectionNumber(Step step) {
    return step.argument().isEmpty() ? 1 : Integer.parseInt(step.argument().strip());
  }

  private RawConnection connection(int number) {
    return connections.computeIfAbsent(number, _ -> connect());
  }

  private RawConnection connect() {
    RawConnection connection = RawConnection.open(port).patience(PATIENCE);
    if (resp3 && connection.call("HELLO", "3") instanceof Reply.Failure(String text)) {
      throw new IllegalStateException("HELLO 3: " + text);
    }
    return connection;
  }

  private void close(int number) {
    RawConnection connection = connections.remove(number);
    if (connection != null) {
      connection.close();
    }
  }

  // ------------------------------------------------------------------ commands

  private String[] arguments(Step step) {
    return words(step.argument()).toArray(String[]::new);
  }

  private List<String> words(String text) {
    return Quoting.words(text, this::savedBytes);
  }

  private String savedBytes(String name) {
    Reply value = saved.get(name);
    return value == null ? "<unset " + name + ">" : Notation.payload(value);
  }

  private Reply call(Step step) {
    lastSent = step.text();
    return connection(step.connection()).call(arguments(step));
  }

  private Reply nothing(Step step) {
    Reply reply = connection(step.connection()).read(QUIET);
    return reply == Special.TIMEOUT ? Special.NONE : reply;
  }

  /** {@code save NAME [I J...]}: the last reply, or an element of it. */
  private void save(Step step) {
    String[] words = step.argument().strip().split("\\s+", -1);
    Reply value = last;
    for (int i = 1; i < words.length && value != null; i++) {
      int index = Integer.parseInt(words[i]);
      boolean there =
          value instanceof Reply.Aggregate aggregate && index < aggregate.elements().size();
      value = there ? value.asList().get(index) : null;
    }
    if (value != null) {
      saved.put(words[0], value);
    }
  }

  private void check(Step step, Reply reply) {
    last = reply;
    List<String> expected = expected(step);
    boolean matches = matches(expected, reply);
    if (!matches && bugs == Bugs.EITHER && !step.fixed().isEmpty()) {
      matches = matches(step.fixed(), reply);
    }
    if (!matches) {
      fail(step, expected, Notation.lines(reply));
    }
  }

  private List<String> expected(Step step) {
    if (step.op() == ConformanceCase.Op.READ_NOTHING && step.expected().isEmpty()) {
      return List.of("none");
    }
    return bugs == Bugs.FIXED && !step.fixed().isEmpty() ? step.fixed() : step.expected();
  }

  private boolean matches(List<String> lines, Reply reply) {
    return ExpectationParser.parse(lines).matches(reply, saved);
  }

  // ------------------------------------------------------------------ raw bytes

  private void rawSend(Step step) {
    lastSent = step.text();
    RawConnection connection = connection(step.connection());
    Matcher split = SPLIT.matcher(step.argument());
    if (split.matches()) {
      sendSplit(connection, join(split.group(1)), Integer.parseInt(split.group(2)));
    } else {
      connection.sendBytes(join(step.argument()));
    }
  }

  private String join(String pieces) {
    return Quoting.joined(pieces, this::savedBytes);
  }

  private static void sendSplit(RawConnection connection, String bytes, int size) {
    for (int from = 0; from < bytes.length(); from += size) {
      connection.sendBytes(bytes.substring(from, Math.min(bytes.length(), from + size)));
      if (from / size % 8 == 7) {
        pause(Duration.ofNanos(500_000)); // lets some pieces arrive alone
      }
    }
  }

  private void rawRead(Step step) {
    RawConnection connection = connection(step.connection());
    String recorded = step.argument().strip();
    boolean fixed = bugs == Bugs.FIXED && !step.fixed().isEmpty();
    String wanted = fixed ? step.fixed().getFirst().strip() : recorded;
    String got = rawGot(connection, wanted);
    boolean matches = rawMatches(wanted, got);
    if (!matches && bugs == Bugs.EITHER && !step.fixed().isEmpty()) {
      matches = rawMatches(step.fixed().getFirst().strip(), got);
    }
    if (!matches) {
      fail(step, List.of(wanted), List.of(got));
    }
  }

  /** What came, quoted; {@code closed} or {@code none} where nothing did. */
  private String rawGot(RawConnection connection, String wanted) {
    if (wanted.equals("closed")) {
      connection.awaitClose(PATIENCE);
      return describe(connection, connection.takeUnread(), "still open");
    } else if (wanted.equals("none")) {
      connection.fill(QUIET);
      return describe(connection, connection.takeUnread(), "none");
    } else if (isRegex(wanted)) {
      return untilSilence(connection);
    }
    return describe(connection, exact(connection, join(wanted)), "none");
  }

  private static String describe(RawConnection connection, String bytes, String ifNothing) {
    if (!bytes.isEmpty()) {
      return Quoting.quote(bytes);
    }
    return connection.closedByPeer() ? "closed" : ifNothing;
  }

  private static String untilSilence(RawConnection connection) {
    if (connection.unread() == 0) {
      connection.fill(PATIENCE);
    }
    while (connection.fill(SILENCE)) {
      // until it is quiet
    }
    return describe(connection, connection.takeUnread(), "none");
  }

  /** The wanted bytes if they come; else what came instead. */
  private static String exact(RawConnection connection, String wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (connection.unread() < wanted.length()
        && wanted.startsWith(connection.peek(wanted.length()))
        && System.nanoTime() < deadline
        && !connection.closedByPeer()) {
      connection.fill(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    if (!connection.peek(wanted.length()).equals(wanted)) {
      connection.fill(SILENCE);
      return connection.takeUnread();
    }
    return connection.take(wanted.length());
  }

  private boolean rawMatches(String wanted, String got) {
    if (isRegex(wanted)) {
      String text = got.startsWith("\"") ? got.substring(1, got.length() - 1) : "";
      return Pattern.matches(wanted.substring(1, wanted.length() - 1), text);
    }
    return switch (wanted) {
      case "closed", "none" -> got.equals(wanted);
      default -> got.equals(Quoting.quote(join(wanted)));
    };
  }

  private static boolean isRegex(String wanted) {
    return wanted.length() > 1 && wanted.startsWith("/") && wanted.endsWith("/");
  }

  // ------------------------------------------------------------------ the rest

  private void fail(Step step, List<String> expected, List<String> got) {
    failures.add(
        "line %d\n  sent:     %s\n  expected: %s\n  got:      %s"
            .formatted(
                step.line(),
                abridged(
                    step.text().contains("<") ? lastSent + " ... " + step.text() : step.text()),
                abridged(String.join("\n            ", expected)),
                abridged(String.join("\n            ", got))));
  }

  private static String abridged(String text) {
    return text.length() < 3000 ? text : text.substring(0, 3000) + "...";
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
