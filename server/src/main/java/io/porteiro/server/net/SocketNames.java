package io.porteiro.server.net;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses as CLIENT LIST shows them. */
final class SocketNames {
  private static final String UNKNOWN = "?:0";

  private SocketNames() {}

  /** {@code 127.0.0.1:6379}, {@code [::1]:6379}. */
  static String of(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return UNKNOWN;
    }
    String ip = NetUtil.toAddressString(inet.getAddress());
    return (ip.indexOf(':') < 0 ? ip : '[' + ip + ']') + ':' + inet.getPort();
  }

  static String ofUnixSocket(String path) {
    return path + ":0";
  }

  static boolean isLoopback(@Nullable SocketAddress address) {
    return address instanceof InetSocketAddress inet
        && inet.getAddress() != null
        && inet.getAddress().isLoopbackAddress();
  }
}
