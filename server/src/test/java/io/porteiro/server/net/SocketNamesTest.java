package io.porteiro.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class SocketNamesTest {
  @Test
  void of_addresses_areWrittenAsClientListDoes() throws UnknownHostException {
    assertThat(name("127.0.0.1")).isEqualTo("127.0.0.1:80");
    assertThat(name("::1")).isEqualTo("[::1]:80");
    assertThat(name("2001:db8:0:0:1::1")).isEqualTo("[2001:db8::1:0:0:1]:80");
    assertThat(SocketNames.of(null)).isEqualTo("?:0");
    assertThat(SocketNames.ofUnixSocket("/a/b")).isEqualTo("/a/b:0");
  }

  private static String name(String ip) throws UnknownHostException {
    return SocketNames.of(new InetSocketAddress(InetAddress.getByName(ip), 80));
  }
}
