package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Memory for a filter is taken when it is used, not when it is asked for. Times are the best of
 * several: a busy machine can make an answer late, but not early.
 */
class LargeFilterIT {
  private static final String BILLION = "1000000000";
  private static final int ROUNDS = 10;
  private static final long MIB = 1 << 20;

  @Test
  void reserve_ofABillionItems_answersAtOnceAndTakesNoMemory() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      connection.call("BF.RESERVE", "warm", "0.01", "1000");
      long residentBefore = server.residentBytes();
      Duration best = Duration.ofSeconds(30);
      for (int i = 0; i < ROUNDS; i++) {
        best = shorter(best, timeOk(connection, "BF.RESERVE", "b", "0.01", BILLION));
        assertThat(server.residentBytes() - residentBefore).isLessThan(64 * MIB);
        connection.call("DEL", "b");
      }
      assertThat(best).isLessThan(Duration.ofMillis(50));
    }
  }

  @Test
  void delete_ofABigFilterInUse_answersAtOnce() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      Duration best = Duration.ofSeconds(30);
      for (int i = 0; i < ROUNDS; i++) {
        connection.call("BF.RESERVE", "b", "0.01", "100000000");
        connection.call("BF.MADD", "b", "a", "b", "c", "d", "e", "f", "g", "h");
        best = shorter(best, time(connection, new Reply.Int(1), "DEL", "b"));
      }
      assertThat(best).isLessThan(Duration.ofMillis(50));
    }
  }

  /** Untouched memory costs milliseconds a page; most adds must not pay for it. */
  @Test
  void firstAdds_toABigFilter_areMostlyQuick() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect().patience(Duration.ofSeconds(30))) {
      connection.call("BF.RESERVE", "b", "0.01", "100000000");
      int slow = 0;
      for (int i = 0; i < 1000; i++) {
        Duration taken = time(connection, new Reply.Int(1), "BF.ADD", "b", "item" + i);
        slow += taken.compareTo(Duration.ofMillis(100)) > 0 ? 1 : 0;
      }
      assertThat(slow).isLessThan(50);
    }
  }

  private static Duration timeOk(RawConnection connection, String... command) {
    return time(connection, new Reply.Simple("OK"), command);
  }

  private static Duration time(RawConnection connection, Reply expected, String... command) {
    long start = System.nanoTime();
    assertThat(connection.call(command)).isEqualTo(expected);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
