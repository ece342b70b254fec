package io.porteiro.it.kill;

import io.porteiro.it.process.RespProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A client that writes to a database of its own, in pipelines, until the server is gone, and then
 * can tell whether the database holds what it must: everything that was acknowledged, and of what
 * was not, a beginning.
 */
public final class Writer {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MAX_PIPELINE = 16;

  private final RespProcess server;
  private final String database;
  private final SplittableRandom random;
  private final RandomOperations operations;
  private final State acknowledged = new State();
  private final Queue<Operation> pending = new ArrayDeque<>();
  private long acknowledgements;

  public Writer(RespProcess server, int database, SplittableRandom random) {
    this.server = server;
    this.database = Integer.toString(database);
    this.random = random;
    this.operations = new RandomOperations(random.split());
  }

  /** How many operations were acknowledged so far. */
  public long acknowledgements() {
    return acknowledgements;
  }

  private RawConnection connect() {
    RawConnection connection = server.connect().patience(PATIENCE);
    connection.call("SELECT", database);
    return connection;
  }

  /** Writes until the connection breaks. */
  public void run() {
    try (RawConnection connection = connect()) {
      while (writePipeline(connection)) {
        Thread.sleep(random.nextInt(3));
      }
    } catch (UncheckedIOException _) {
      // the server was gone before it began
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean writePipeline(RawConnection connection) {
    StringBuilder request = new StringBuilder();
    for (int left = 1 + random.nextInt(MAX_PIPELINE); left > 0; left--) {
      Operation operation = operations.next();
      pending.add(operation);
      request.append(operation.encoded());
    }
    connection.sendBytes(request.toString());
    while (!pending.isEmpty()) {
      if (!pending.element().isAcknowledged(connection)) {
        return false;
      }
      pending.remove().effect().accept(acknowledged);
      acknowledgements++;
    }
    return true;
  }

  // ------------------------------------------------------------------ after the restart

  /**
   * Finds out how much of what was not acknowledged is there, and takes it for acknowledged.
   *
   * @throws AssertionError if something acknowledged is missing, or something is there in part
   */
  public void check() {
    try (RawConnection connection = connect()) {
      String before = acknowledged.toString();
      List<Operation> unknown = List.copyOf(pending);
      String difference = difference(connection);
      String first = difference;
      while (!difference.isEmpty() && !pending.isEmpty()) {
        pending.remove().effect().accept(acknowledged);
        difference = difference(connection);
      }
      if (!difference.isEmpty()) {
        throw new AssertionError(
            "database %s: %s; with all that was sent: %s\nacknowledged: %s\nsent: %s"
                .formatted(database, first, difference, before, unknown));
      }
      pending.clear();
    }
  }

  /** The first that differs from the state; empty if nothing does. */
  private String difference(RawConnection connection) {
    Reply keys = connection.call("DBSIZE");
    if (!keys.equals(new Reply.Int(acknowledged.keys()))) {
      return keys + " keys instead of " + acknowledged.keys();
    }
    return Stream.of(strings(connection), filters(connection), sketches(connection))
        .flatMap(differences -> differences)
        .findFirst()
        .orElse("");
  }

  private Stream<String> strings(RawConnection connection) {
    return acknowledged.strings().entrySet().stream()
        .filter(string ->
            !connection.call("GET", string.getKey()).equals(new Reply.Bulk(string.getValue())))
        .map(string -> string.getKey() + " is not " + string.getValue());
  }

  private Stream<String> filters(RawConnection connection) {
    return acknowledged.filters().entrySet().stream()
        .flatMap(filter -> filter(connection, filter.getKey(), List.copyOf(filter.getValue())));
  }

  private static Stream<String> filter(RawConnection connection, String key, List<String> items) {
    Reply cardinality = connection.call("BF.CARD", key);
    if (!cardinality.equals(new Reply.Int(items.size()))) {
      return Stream.of(key + " holds " + cardinality + " items instead of " + items.size());
    }
    return Items.absent(connection, key, items).stream().map(item -> key + " denies " + item);
  }

  private Stream<String> sketches(RawConnection connection) {
    return acknowledged.sketches().entrySet().stream()
        .filter(sketch -> !isWhole(connection, sketch.getKey(), List.copyOf(sketch.getValue())))
        .map(sketch -> sketch.getKey() + " differs from one of its items");
  }

  /** As many as in a sketch made anew of the same items. */
  private static boolean isWhole(RawConnection connection, String key, List<String> items) {
    Reply count = connection.call("PFCOUNT", key);
    for (List<String> some : Items.parts(items)) {
      connection.call(Items.command("PFADD", "anew", some));
    }
    Reply anew = connection.call("PFCOUNT", "anew");
    Reply union = connection.call("PFCOUNT", key, "anew");
    connection.call("DEL", "anew");
    return count.equals(anew) && count.equals(union);
  }
}
