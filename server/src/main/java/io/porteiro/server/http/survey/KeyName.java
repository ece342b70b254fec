package io.porteiro.server.http.survey;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Keys as text that can be shown anywhere: two keys never have the same one.
 *
 * <p>A key in UTF-8 is its own name, but for backslashes, which are doubled, and invisible
 * characters, which are shown as their bytes, {@code \xNN}; of another key all bytes beyond ASCII
 * are shown so. A long key is cut, and a part of its SHA-256 tells it from others that begin alike.
 */
public final class KeyName {
  /** Longer keys are cut to this. */
  static final int MAX_BYTES = 256;

  private static final int MAX_CHARACTER_BYTES = 4;
  private static final int SHOWN_DIGEST_BYTES = 8;
  private static final HexFormat HEX = HexFormat.of();

  private KeyName() {}

  public static String of(byte[] key) {
    if (key.length <= MAX_BYTES) {
      return text(key);
    }
    String digest = HEX.formatHex(sha256(key), 0, SHOWN_DIGEST_BYTES);
    return text(Arrays.copyOf(key, cut(key))) + "\\..." + digest;
  }

  /** Not within a character of UTF-8. */
  private static int cut(byte[] key) {
    int end = MAX_BYTES;
    while (end > MAX_BYTES - MAX_CHARACTER_BYTES && (key[end] & 0xc0) == 0x80) {
      end--;
    }
    return end;
  }

  private static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes))
          .codePoints()
          .forEach(c -> appendCharacter(text, c));
    } catch (CharacterCodingException e) {
      text.setLength(0);
      for (byte b : bytes) {
        appendByte(text, b);
      }
    }
    return text.toString();
  }

  private static void appendCharacter(StringBuilder text, int c) {
    if (c == '\\') {
      text.append("\\\\");
    } else if (isVisible(c)) {
      text.appendCodePoint(c);
    } else {
      for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
        appendHex(text, b);
      }
    }
  }

  /** Not those that turn the direction of the text around them, either. */
  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }

  private static void appendByte(StringBuilder text, byte b) {
    if (b >= 0) {
      appendCharacter(text, b);
    } else {
      appendHex(text, b);
    }
  }

  private static void appendHex(StringBuilder text, byte b) {
    text.append("\\x").append(HEX.toHexDigits(b));
  }

  private static byte[] sha256(byte[] key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
