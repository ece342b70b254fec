package io.porteiro.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.access.AccessLog.Entry;
import io.porteiro.server.access.AccessLog.Event;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AccessLogTest {
  private final AtomicLong maxEntries = new AtomicLong(128);
  private final AccessLog log = new AccessLog(maxEntries::get);

  private static Event event(String object) {
    return new Event(Denial.KEY, false, object, "user", "client of " + object);
  }

  @Test
  void equalDenials_withinAMinute_areOneEntryThatMovesToTheFront() {
    log.add(event("a"), 1000);
    log.add(event("b"), 2000);
    log.add(event("a"), 61_000);
    assertThat(log.newest(10))
        .containsExactly(
            new Entry(0, 2, event("a"), 1000, 61_000), new Entry(1, 1, event("b"), 2000, 2000));
  }

  @Test
  void equalDenials_moreThanAMinuteApart_areTwo() {
    log.add(event("a"), 1000);
    log.add(event("a"), 61_001);
    assertThat(log.newest(10)).extracting(Entry::count).containsExactly(1L, 1L);
  }

  @Test
  void denials_thatDifferInOneThing_areNotEqual() {
    log.add(new Event(Denial.KEY, false, "a", "u", ""), 0);
    log.add(new Event(Denial.CHANNEL, false, "a", "u", ""), 0);
    log.add(new Event(Denial.KEY, true, "a", "u", ""), 0);
    log.add(new Event(Denial.KEY, false, "b", "u", ""), 0);
    log.add(new Event(Denial.KEY, false, "a", "v", ""), 0);
    log.add(new Event(Denial.KEY, false, "a", "u", "another client"), 0);
    assertThat(log.newest(10)).hasSize(5);
    assertThat(log.newest(1).getFirst().count()).isEqualTo(2);
  }

  /** Clients choose how many different things they are denied. */
  @Test
  void entries_areAsManyAsSet_theOldestGo() {
    maxEntries.set(3);
    for (int i = 0; i < 100; i++) {
      log.add(event("k" + i), i);
    }
    assertThat(log.newest(100))
        .extracting(entry -> entry.event().object())
        .containsExactly("k99", "k98", "k97");
    maxEntries.set(0);
    log.add(event("x"), 100);
    assertThat(log.newest(100)).isEmpty();
  }

  @Test
  void names_areCut() {
    log.add(new Event(Denial.AUTH, false, "x".repeat(100_000), "y".repeat(100_000), ""), 0);
    Event kept = log.newest(1).getFirst().event();
    assertThat(kept.object()).hasSize(AccessLog.KEPT_BYTES);
    assertThat(kept.username()).hasSize(AccessLog.KEPT_BYTES);
  }

  @Test
  void counts_surviveClearingTheEntries() {
    log.add(event("a"), 0);
    log.add(event("a"), 0);
    log.clear();
    assertThat(log.newest(10)).isEmpty();
    assertThat(log.count(Denial.KEY)).isEqualTo(2);
    assertThat(log.count(Denial.AUTH)).isZero();
  }
}
