package io.porteiro.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * One address of {@code bind} or {@code http-bind}.
 *
 * @param host an address or name, {@code *} or {@code ::*} for all addresses
 * @param optional whether it may be missing on this machine (written with {@code -} in front)
 */
public record BindAddress(String host, boolean optional) {
  public static final String ALL_IPV4 = "*";
  public static final String ALL_IPV6 = "::*";

  public static BindAddress of(String word) {
    boolean optional = word.startsWith("-");
    return new BindAddress(optional ? word.substring(1) : word, optional);
  }

  /**
   * The addresses to bind, in order. A socket bound to all IPv6 addresses accepts IPv4, too, so
   * where both are wanted it comes alone; who binds falls back to IPv4 where there is no IPv6.
   */
  public static List<BindAddress> all(List<String> words) {
    List<BindAddress> addresses = new ArrayList<>();
    words.forEach(word -> addresses.add(of(word)));
    if (addresses.stream().anyMatch(address -> address.host.equals(ALL_IPV6))) {
      addresses.removeIf(address -> address.host.equals(ALL_IPV4));
    }
    return addresses;
  }

  public InetSocketAddress socketAddress(int port) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(literal()), port);
  }

  private String literal() {
    return switch (host) {
      case ALL_IPV4 -> "0.0.0.0";
      case ALL_IPV6 -> "::";
      default -> host;
    };
  }
}
