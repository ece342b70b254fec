package io.porteiro.it.resp;

import java.nio.charset.StandardCharsets;

/**
 * Byte strings as Java strings, one char (0 to 255) a byte: so replies compare by value, print, and
 * can be matched by regular expressions.
 */
public final class Bytes {
  private Bytes() {}

  public static byte[] toArray(String bytes) {
    return bytes.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static String of(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The byte string of the UTF-8 form of {@code text}. */
  public static String utf8(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text whose UTF-8 form {@code bytes} is; malformed parts become U+FFFD. */
  public static String decodeUtf8(String bytes) {
    return new String(toArray(bytes), StandardCharsets.UTF_8);
  }
}
