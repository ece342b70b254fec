package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

class ListenersTest {
  @Test
  void permissions_bits_areThoseOfChmod() {
    assertThat(PosixFilePermissions.toString(Listeners.permissions(0755))).isEqualTo("rwxr-xr-x");
    assertThat(PosixFilePermissions.toString(Listeners.permissions(0640))).isEqualTo("rw-r-----");
  }
}
