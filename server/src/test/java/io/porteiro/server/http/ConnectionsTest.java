package io.porteiro.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private final Connections connections = new Connections(2);
  private final EmbeddedChannel first = new EmbeddedChannel();
  private final EmbeddedChannel second = new EmbeddedChannel();
  private final EmbeddedChannel third = new EmbeddedChannel();

  @Test
  void oneTooMany_closesTheOneThatWaitsLongest() {
    connections.waits(first);
    connections.waits(second);
    connections.waits(third);
    assertThat(first.isOpen()).isFalse();
    assertThat(second.isOpen()).isTrue();
    assertThat(connections.count()).isEqualTo(2);
  }

  @Test
  void oneTooMany_closesNoneThatIsAnswered() {
    connections.waits(first);
    connections.isAnswered(first);
    connections.waits(second);
    connections.waits(third);
    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isFalse();
  }

  @Test
  void waitingAgain_isTheLastInTheRow() {
    connections.waits(first);
    connections.waits(second);
    connections.isAnswered(first);
    connections.waits(first);
    connections.waits(third);
    assertThat(second.isOpen()).isFalse();
    assertThat(first.isOpen()).isTrue();
  }

  @Test
  void closed_leavesRoom() {
    connections.waits(first);
    connections.waits(second);
    connections.closed(first);
    connections.waits(third);
    assertThat(second.isOpen()).isTrue();
    assertThat(third.isOpen()).isTrue();
  }
}
