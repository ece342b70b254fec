package io.porteiro.server.rdb;

import java.util.HexFormat;

/** Keys as they are shown in messages: quoted, unprintable bytes as {@code \xNN}, long ones cut. */
public final class KeyText {
  private static final int SHOWN_BYTES = 128;

  private KeyText() {}

  public static String of(byte[] key) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < Math.min(key.length, SHOWN_BYTES); i++) {
      append(text, key[i]);
    }
    return text.append(key.length > SHOWN_BYTES ? "...\"" : "\"").toString();
  }

  private static void append(StringBuilder text, byte b) {
    if (b == '"' || b == '\\') {
      text.append('\\').append((char) b);
    } else if (b >= ' ' && b < 0x7f) {
      text.append((char) b);
    } else {
      text.append("\\x").append(HexFormat.of().toHexDigits(b));
    }
  }
}
