package io.porteiro.examples.gatekeeper;

import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.args.ExpiryOption;
import redis.clients.jedis.bloom.BFInsertParams;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * A cache that keeps a page from its second request of the day on. Most pages are asked for once,
 * and would only push out those that are asked for again; a filter of what was requested today
 * takes two bytes for each instead of a page.
 */
public final class SecondRequestCache {
  /** Where a page comes from that is not in the cache. */
  public interface Source<E extends Exception> {
    @Nullable String load(String name) throws E;
  }

  private static final Duration KEPT = Duration.ofMinutes(10);
  private static final Duration REQUESTS_KEPT = Duration.ofDays(2);
  private static final BFInsertParams REQUESTS =
      BFInsertParams.insertParams().capacity(1_000_000).error(0.01);

  private final RedisClient porteiro;
  private final Clock clock;
  private final Counters counters;

  public SecondRequestCache(RedisClient porteiro, Clock clock, Counters counters) {
    this.porteiro = porteiro;
    this.clock = clock;
    this.counters = counters;
  }

  /** A page, from the cache or else from its source; null where the source has none. */
  public <E extends Exception> @Nullable String get(String name, Source<E> source) throws E {
    String cached = cached(name);
    counters.countPage(cached == null);
    if (cached != null) {
      return cached;
    }
    String page = source.load(name);
    if (page != null) {
      offer(name, page);
    }
    return page;
  }

  private @Nullable String cached(String name) {
    try {
      return porteiro.get("page:" + name);
    } catch (JedisException e) {
      counters.countWithoutPorteiro();
      return null;
    }
  }

  /** A page that cannot be kept is only loaded again. */
  private void offer(String name, String page) {
    try {
      if (wasRequested(name)) {
        porteiro.set("page:" + name, page, SetParams.setParams().ex(KEPT.toSeconds()));
      }
    } catch (JedisException e) {
      counters.countWithoutPorteiro();
    }
  }

  /** Whether this is not the first request of today. The filter of a day goes away by itself. */
  private boolean wasRequested(String name) {
    String today = "requested:" + LocalDate.now(clock);
    boolean first = porteiro.bfInsert(today, REQUESTS, name).getFirst();
    if (first) {
      porteiro.expire(today, REQUESTS_KEPT.toSeconds(), ExpiryOption.NX);
    }
    return !first;
  }
}
