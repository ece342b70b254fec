package io.porteiro.examples.gatekeeper;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAdjusters;
import java.util.stream.Stream;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * How many different visitors came, by day and by week: one HyperLogLog of 12 KB a day, whatever
 * the number of visitors. Who came on two days of a week is counted once in it.
 */
public final class Visitors {
  private static final int DAYS = 7;
  private static final int WEEK_CHARS = "2026-W49".length();

  private final RedisClient porteiro;
  private final Counters counters;

  public Visitors(RedisClient porteiro, Counters counters) {
    this.porteiro = porteiro;
    this.counters = counters;
  }

  /** Counts a visitor. A count is not worth an error to the visitor. */
  public void came(String visitor, LocalDate day) {
    try {
      porteiro.pfadd(dayKey(day), visitor);
    } catch (JedisException e) {
      counters.countWithoutPorteiro();
    }
  }

  /** Different visitors of a day, to within a percent. */
  public long ofDay(LocalDate day) {
    return porteiro.pfcount(dayKey(day));
  }

  /** Different visitors of the week that a day is in: its days merged, and kept for good. */
  public long ofWeek(LocalDate day) {
    LocalDate monday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
    String[] days =
        Stream.iterate(monday, next -> next.plusDays(1))
            .limit(DAYS)
            .map(Visitors::dayKey)
            .toArray(String[]::new);
    porteiro.pfmerge(weekKey(day), days);
    return porteiro.pfcount(weekKey(day));
  }

  private static String dayKey(LocalDate day) {
    return "visitors:" + day;
  }

  private static String weekKey(LocalDate day) {
    return "visitors:" + DateTimeFormatter.ISO_WEEK_DATE.format(day).substring(0, WEEK_CHARS);
  }
}
