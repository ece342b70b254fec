package io.porteiro.it.kill;

import io.porteiro.it.process.RespProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A filter to which several clients add the same items: each item that anybody was told of, by a 1
 * to BF.ADD, by a 0 or by BF.EXISTS, must be there ever after, whoever added it. And a counter, of
 * which nobody's answer may come twice.
 */
public final class SharedFilter {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final RespProcess server;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private final Set<Long> counted = ConcurrentHashMap.newKeySet();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong next = new AtomicLong();

  public SharedFilter(RespProcess server) {
    this.server = server;
  }

  /** How many items somebody was told of. */
  public int told() {
    return told.size();
  }

  /** Adds and asks until the connection breaks. */
  public void run() {
    try (RawConnection connection = server.connect().patience(PATIENCE)) {
      while (ask(connection)) {
        next.incrementAndGet();
      }
    } catch (UncheckedIOException _) {
      // the server was gone before it began
    }
  }

  private boolean ask(RawConnection connection) {
    String item = "item" + next.get();
    connection.sendBytes(
        RawConnection.encode("BF.EXISTS", "shared", item)
            + RawConnection.encode("BF.ADD", "shared", item)
            + RawConnection.encode("INCR", "counter"));
    if (connection.read().equals(new Reply.Int(1))) {
      told.add(item);
    }
    if (!(connection.read() instanceof Reply.Int)) {
      return false;
    }
    told.add(item);
    return count(connection.read());
  }

  private boolean count(Reply reply) {
    if (!(reply instanceof Reply.Int(long value))) {
      return false;
    }
    if (!counted.add(value)) {
      repeated.incrementAndGet();
    }
    return true;
  }

  /**
   * Looks for all that anybody was told.
   *
   * @throws AssertionError if something is missing
   */
  public void check() {
    try (RawConnection connection = server.connect().patience(PATIENCE)) {
      List<String> absent = Items.absent(connection, "shared", List.copyOf(told));
      if (!absent.isEmpty() || repeated.get() > 0) {
        throw new AssertionError("denied: " + absent + ", counted twice: " + repeated);
      }
    }
  }
}
