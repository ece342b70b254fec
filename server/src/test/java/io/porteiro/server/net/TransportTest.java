package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class TransportTest {
  /** In a container the kernel says no more than that; the reader should not have to search. */
  @Test
  void excuse_ofIoUring_namesWhatIsMostOftenBehindIt() {
    Throwable obstacle =
        new UnsatisfiedLinkError("failed to load").initCause(new IOException("not permitted"));
    assertThat(Transport.IO_URING.excuse(obstacle))
        .isEqualTo(
            "Transport io_uring cannot be used: not permitted (Docker's default seccomp profile"
                + " forbids it; see the README on containers)");
    assertThat(Transport.EPOLL.excuse(obstacle)).endsWith("epoll cannot be used: not permitted");
  }

  @Test
  void choose_auto_findsOneThatWorks() throws IOException {
    assertThat(Transport.choose("auto").obstacle()).isNull();
  }

  @Test
  void choose_byName_takesItOrSaysWhyNot() throws IOException {
    assertThat(Transport.choose("nio")).isSameAs(Transport.NIO);
    assertThatThrownBy(() -> Transport.choose("none")).hasMessageContaining("no io-transport");
  }
}
