package io.porteiro.server.access;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What was denied of late, newest first: ACL LOG. Equal denials within a minute are one entry. Any
 * thread.
 */
public final class AccessLog {
  /** How many entries a new one is compared with. */
  private static final int COMPARED = 10;

  private static final long SAME_WITHIN_MS = 60_000;

  /** Names and keys are kept up to this many bytes: clients choose them, and they may be large. */
  public static final int KEPT_BYTES = 4096;

  /**
   * Something that was denied.
   *
   * @param inTransaction whether inside MULTI or by EXEC
   * @param object the command, key or channel; of a login the command used for it
   * @param client the connection, as CLIENT INFO shows it
   */
  public record Event(
      Denial denial, boolean inTransaction, String object, String username, String client) {
    public Event {
      object = cut(object);
      username = cut(username);
    }

    private static String cut(String text) {
      return text.substring(0, Math.min(text.length(), KEPT_BYTES));
    }

    boolean isLike(Event other) {
      return denial == other.denial
          && inTransaction == other.inTransaction
          && object.equals(other.object)
          && username.equals(other.username);
    }
  }

  /**
   * Equal events.
   *
   * @param id counts up from 0
   * @param count how many
   * @param event the last of them
   * @param createdAtMs when the first was, in Unix milliseconds
   * @param updatedAtMs when the last was
   */
  public record Entry(long id, long count, Event event, long createdAtMs, long updatedAtMs) {}

  private final LongSupplier maxEntries;
  private final Deque<Entry> entries = new ArrayDeque<>();
  private final Map<Denial, LongAdder> counts = new EnumMap<>(Denial.class);
  private long nextId;

  /**
   * @param maxEntries {@code acllog-max-len}, as it is set now
   */
  public AccessLog(LongSupplier maxEntries) {
    this.maxEntries = maxEntries;
    for (Denial denial : Denial.values()) {
      counts.put(denial, new LongAdder());
    }
  }

  public void add(Event event, long nowMs) {
    counter(event.denial).increment();
    synchronized (this) {
      entries.addFirst(merged(event, nowMs));
      while (entries.size() > maxEntries.getAsLong()) {
        entries.removeLast();
      }
    }
  }

  private Entry merged(Event event, long nowMs) {
    Iterator<Entry> recent = entries.iterator();
    for (int i = 0; i < COMPARED && recent.hasNext(); i++) {
      Entry entry = recent.next();
      if (entry.event.isLike(event) && nowMs - entry.updatedAtMs <= SAME_WITHIN_MS) {
        recent.remove();
        return new Entry(entry.id, entry.count + 1, event, entry.createdAtMs, nowMs);
      }
    }
    return new Entry(nextId++, 1, event, nowMs, nowMs);
  }

  /** The newest entries, at most so many. */
  public synchronized List<Entry> newest(long count) {
    List<Entry> newest = new ArrayList<>();
    for (Entry entry : entries) {
      if (newest.size() >= count) {
        break;
      }
      newest.add(entry);
    }
    return newest;
  }

  public synchronized void clear() {
    entries.clear();
  }

  /** How often something was denied for this reason since the start. */
  public long count(Denial denial) {
    return counter(denial).sum();
  }

  private LongAdder counter(Denial denial) {
    return Objects.requireNonNull(counts.get(denial));
  }
}
