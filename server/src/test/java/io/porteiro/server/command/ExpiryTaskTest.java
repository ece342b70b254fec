package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExpiryTaskTest {
  private final CommandHarness server = CommandHarness.of(CommandHarness.testCommands());
  private final ExpiryTask task = new ExpiryTask(server.services());

  @AfterEach
  void close() {
    server.close();
  }

  private void expire() {
    server
        .client()
        .batch("set a v", "expire a 10", "select 2", "set b v", "expire b 10", "set c v");
    server.effects();
    server.clock().advance(11);
  }

  @Test
  void keysPastTheirTime_areRemovedCountedToldAndJournalled() throws Exception {
    server.configure("notify-keyspace-events", "Ex");
    expire();
    for (int i = 0; i < 100 && server.keyspace().size(2) > 1; i++) {
      task.run();
    }

    assertThat(server.keyspace().size(0)).isZero();
    assertThat(server.keyspace().size(2)).isEqualTo(1);
    assertThat(server.effects()).containsExactlyInAnyOrder("0: DEL a", "2: DEL b");
    assertThat(server.channels().take())
        .containsExactlyInAnyOrder("__keyevent@0__:expired a", "__keyevent@2__:expired b");
    assertThat(server.services().metrics().expiredKeys()).isEqualTo(2);
  }

  @Test
  void keysPastTheirTime_stayWhileLoadingAndWhereSwitchedOff() {
    expire();
    server.persistence().setLoading(true);
    task.run();
    server.persistence().setLoading(false);
    task.setEnabled(false);
    task.run();

    assertThat(server.keyspace().size(0)).isEqualTo(1);
  }

  @Test
  void reader_ofWhatTheTaskRemoved_waitsForItsEffect() {
    expire();
    for (int i = 0; i < 100 && server.keyspace().size(0) > 0; i++) {
      task.run();
    }
    HarnessClient reader = server.client();
    reader.call("get", "a");

    assertThat(reader.session().journalPosition()).isPositive();
  }
}
