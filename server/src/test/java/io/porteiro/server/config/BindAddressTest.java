package io.porteiro.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindAddressTest {
  @Test
  void of_dashInFront_isOptional() {
    assertThat(BindAddress.of("-::1")).isEqualTo(new BindAddress("::1", true));
    assertThat(BindAddress.of("127.0.0.1")).isEqualTo(new BindAddress("127.0.0.1", false));
  }

  @Test
  void all_bothWildcards_areOneSocket() {
    assertThat(BindAddress.all(List.of("*", "-::*"))).containsExactly(new BindAddress("::*", true));
    assertThat(BindAddress.all(List.of("*"))).containsExactly(new BindAddress("*", false));
  }

  @Test
  void socketAddress_wildcards_areAllAddresses() throws UnknownHostException {
    assertThat(BindAddress.of("*").socketAddress(1).getAddress().isAnyLocalAddress()).isTrue();
    assertThat(BindAddress.of("::*").socketAddress(1).getAddress().isAnyLocalAddress()).isTrue();
    assertThat(BindAddress.of("::1").socketAddress(7).getPort()).isEqualTo(7);
  }
}
