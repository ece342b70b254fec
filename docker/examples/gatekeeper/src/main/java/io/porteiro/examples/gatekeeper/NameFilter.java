package io.porteiro.examples.gatekeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.bloom.BFInsertParams;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * All names that exist, in a Bloom filter at Porteiro. It may take a name that does not exist for
 * one that does, which costs a query; never the other way round.
 *
 * <p>Two things would make it say "free" of a name that exists: a filter that is not there (nothing
 * is in it), and one that is not filled yet. So the filter holds a {@link #MARKER} that is added
 * last, and each question asks for it along with the name, in one command: without the marker the
 * answer is worth nothing. That covers a Porteiro whose data were lost as well.
 *
 * <p>A new filter is built under a second key and renamed over the first. Names that are registered
 * meanwhile are added to both at once.
 */
final class NameFilter {
  private static final String KEY = "names";
  private static final String NEXT = "names:next";

  /** No name is equal to it: PostgreSQL's texts hold no zero byte. */
  private static final String MARKER = "\0complete";

  private static final double ERROR_RATE = 0.001;

  /** Adding to what is not there must not create it: it would lack everything else. */
  private static final BFInsertParams EXISTING = BFInsertParams.insertParams().noCreate();

  private static final String NOT_THERE = "ERR not found";

  /** After a failure nobody asks for a moment: each would wait for its timeout. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final RedisClient porteiro;
  private final Counters counters;
  private volatile long failedNanos = System.nanoTime() - PAUSE_NANOS;

  NameFilter(RedisClient porteiro, Counters counters) {
    this.porteiro = porteiro;
    this.counters = counters;
  }

  /** Those of the names that may exist: all of them if the filter cannot tell. */
  List<String> suspects(List<String> names) {
    if (System.nanoTime() - failedNanos < PAUSE_NANOS) {
      counters.countWithoutPorteiro();
      return names;
    }
    try {
      return suspects(names, ask(names));
    } catch (JedisException e) { // gone, too slow, loading, no filter under that key
      failedNanos = System.nanoTime();
      counters.countWithoutPorteiro();
      return names;
    }
  }

  private List<Boolean> ask(List<String> names) {
    List<String> items = new ArrayList<>(names);
    items.add(MARKER);
    return porteiro.bfMExists(KEY, items.toArray(String[]::new));
  }

  private static List<String> suspects(List<String> names, List<Boolean> answers) {
    if (!answers.getLast()) {
      return names; // not complete
    }
    List<String> suspects = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (answers.get(i)) {
        suspects.add(names.get(i));
      }
    }
    return suspects;
  }

  /** Whether there is a filter that holds all names. False also if Porteiro does not answer. */
  boolean isComplete() {
    try {
      return ask(List.of()).getLast();
    } catch (JedisException e) {
      return false;
    }
  }

  /**
   * Adds a name to the filter, and to the one that is being built if there is one. Both in one
   * transaction: between two commands the new one could take the old one's place.
   *
   * @throws JedisException if it is not certain that it was added
   */
  void add(String name) {
    List<Object> replies;
    try (AbstractTransaction transaction = porteiro.multi()) {
      transaction.bfInsert(KEY, EXISTING, name);
      transaction.bfInsert(NEXT, EXISTING, name);
      replies = transaction.exec();
    }
    replies.forEach(NameFilter::requireAddedOrAbsent);
  }

  /** A filter that is not there needs no name: without a marker nobody believes it. */
  private static void requireAddedOrAbsent(Object reply) {
    if (reply instanceof JedisDataException error && !NOT_THERE.equals(error.getMessage())) {
      throw error;
    }
  }

  /** Begins an empty filter beside the one in use; what an earlier attempt left is dropped. */
  void beginNext(long capacity) {
    try (AbstractTransaction transaction = porteiro.multi()) {
      transaction.del(NEXT);
      transaction.bfReserve(NEXT, ERROR_RATE, capacity);
      requireDone(transaction.exec());
    }
  }

  void addToNext(List<String> names) {
    porteiro.bfInsert(NEXT, EXISTING, names.toArray(String[]::new));
  }

  /** Marks the new filter as complete and puts it in the place of the old one, at once. */
  void replaceByNext() {
    try (AbstractTransaction transaction = porteiro.multi()) {
      transaction.bfInsert(NEXT, EXISTING, MARKER);
      transaction.rename(NEXT, KEY);
      requireDone(transaction.exec());
    }
  }

  private static void requireDone(List<Object> replies) {
    for (Object reply : replies) {
      if (reply instanceof JedisDataException error) {
        throw error;
      }
    }
  }
}
