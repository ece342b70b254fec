package io.porteiro.server.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.FakePersistence;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadinessTest {
  private final FakePersistence persistence = new FakePersistence();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final Readiness readiness = new Readiness(persistence, ending::get);

  @Test
  void obstacle_serving_isNone() {
    assertThat(readiness.obstacle()).isNull();
  }

  @Test
  void obstacle_loading_saysSo() {
    persistence.setLoading(true);
    assertThat(readiness.obstacle()).isEqualTo("The data are being loaded.");
  }

  @Test
  void obstacle_writesRefused_tellsWhy() {
    persistence.setWriteRefusal("MISCONF no space");
    assertThat(readiness.obstacle()).isEqualTo("Writes are refused: MISCONF no space");
  }

  @Test
  void obstacle_ending_saysSo() {
    ending.set(true);
    assertThat(readiness.obstacle()).isEqualTo("The server is shutting down.");
  }
}
