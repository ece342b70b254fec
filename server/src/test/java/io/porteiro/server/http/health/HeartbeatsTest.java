package io.porteiro.server.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  private final Queue<Runnable> held = new ArrayDeque<>();
  private final Executor turning = Runnable::run;
  private final Executor standing = held::add;
  private long nowNanos = 1_000_000;
  private final Heartbeats hearts = new Heartbeats(List.of(turning, standing), () -> nowNanos);

  private void passSeconds(long seconds) {
    nowNanos += seconds * 1_000_000_000L;
  }

  @Test
  void obstacle_whileLoopsAnswer_isNone() {
    hearts.ask();
    held.remove().run();
    passSeconds(3600);
    assertThat(hearts.obstacle()).isNull();
  }

  @Test
  void obstacle_loopBusyForAWhile_isNone() {
    hearts.ask();
    passSeconds(4);
    assertThat(hearts.obstacle()).isNull();
    assertThat(hearts.all().get(1).delayNanos()).isEqualTo(4_000_000_000L);
  }

  @Test
  void obstacle_loopThatDoesNotAnswer_namesIt() {
    hearts.ask();
    passSeconds(6);
    hearts.ask();
    assertThat(hearts.obstacle()).isEqualTo("Event loop 1 has not answered for 6 seconds.");
  }

  /** A loop that stands still must not get a queue of tasks. */
  @Test
  void ask_loopThatHasATask_givesItNoOther() {
    for (int i = 0; i < 10; i++) {
      hearts.ask();
    }
    assertThat(held).hasSize(1);
  }

  @Test
  void obstacle_loopThatAnswersAgain_isGone() {
    hearts.ask();
    passSeconds(60);
    held.remove().run();
    assertThat(hearts.obstacle()).isNull();
    assertThat(hearts.all().get(1).delayNanos()).isEqualTo(60_000_000_000L);
  }
}
