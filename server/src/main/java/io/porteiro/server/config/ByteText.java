package io.porteiro.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Byte strings: texts in which each character is one byte. Settings come as bytes and go out as the
 * same bytes, whatever their encoding; only what the system takes as text is decoded.
 */
public final class ByteText {
  private ByteText() {}

  /** The byte string of a text's UTF-8 bytes. */
  public static String ofText(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }

  /** The text whose UTF-8 bytes a byte string holds. */
  public static String toText(String byteText) {
    return new String(byteText.getBytes(ISO_8859_1), UTF_8);
  }

  static Path path(String byteText) throws ConfigException {
    try {
      return Path.of(toText(byteText));
    } catch (InvalidPathException e) {
      throw new ConfigException("Invalid argument");
    }
  }
}
