package io.porteiro.protocol;

import java.nio.charset.StandardCharsets;

/**
 * What a browser sends that a malicious page points at this port. Its first lines are not commands,
 * but its body, chosen by the page, could hold some; so the connection ends at the first line that
 * only HTTP has, as in Redis.
 */
final class HttpRequest {
  private static final byte[] POST = "post".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] HOST = "host:".getBytes(StandardCharsets.ISO_8859_1);

  private HttpRequest() {}

  /** Whether the first word of a line is {@code POST} or {@code Host:}, in any case. */
  static boolean isOne(long address, int length) {
    return equalsIgnoreCase(address, length, POST) || equalsIgnoreCase(address, length, HOST);
  }

  private static boolean equalsIgnoreCase(long address, int length, byte[] lower) {
    if (length != lower.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (Character.toLowerCase(NativeBytes.getByte(address + i)) != lower[i]) {
        return false;
      }
    }
    return true;
  }
}
