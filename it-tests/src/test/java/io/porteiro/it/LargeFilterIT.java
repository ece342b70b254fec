package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Memory for a filter is taken when it is used, not when it is asked for. */
class LargeFilterIT {
  private static final String BILLION = "1000000000";
  private static final long MIB = 1 << 20;

  @Test
  void reserve_ofABillionItems_answersAtOnceAndTakesNoMemory() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect()) {
      connection.call("BF.RESERVE", "warm", "0.01", "1000");
      long residentBefore = server.residentBytes();
      long start = System.nanoTime();
      assertThat(connection.call("BF.RESERVE", "b", "0.01", BILLION))
          .isEqualTo(new Reply.Simple("OK"));
      Duration taken = Duration.ofNanos(System.nanoTime() - start);
      assertThat(taken).isLessThan(Duration.ofMillis(50));
      assertThat(server.residentBytes() - residentBefore).isLessThan(64 * MIB);
    }
  }

  @Test
  void delete_ofABigFilter_answersAtOnce() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect()) {
      connection.call("BF.RESERVE", "b", "0.01", "100000000");
      for (int i = 0; i < 1000; i++) {
        connection.call("BF.ADD", "b", "item" + i);
      }
      long start = System.nanoTime();
      assertThat(connection.call("DEL", "b").asLong()).isOne();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(50));
    }
  }

  @Test
  void firstAdds_toABigFilter_areNotStalledByUntouchedMemory() {
    try (ServerProcess server = ServerProcess.started();
        RawConnection connection = server.connect()) {
      connection.call("BF.RESERVE", "b", "0.01", "100000000");
      for (int i = 0; i < 1000; i++) {
        long start = System.nanoTime();
        assertThat(connection.call("BF.ADD", "b", "item" + i).asLong()).isOne();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .as("add %d", i)
            .isLessThan(Duration.ofMillis(500));
      }
    }
  }
}
