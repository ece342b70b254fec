package io.porteiro.it.fuzz;

/**
 * The CRC-64 at the end of a DUMP payload (reflected polynomial 0xad93d23594c935a9, no final xor),
 * bit by bit: written apart from the server's so that the two check each other.
 */
public final class DumpChecksum {
  private static final long POLYNOMIAL = Long.reverse(0xad93d23594c935a9L);
  private static final int TRAILER_BYTES = 10;
  private static final int CHECKSUM_BYTES = 8;

  private DumpChecksum() {}

  static long crc64(String bytes, int length) {
    long crc = 0;
    for (int i = 0; i < length; i++) {
      crc ^= bytes.charAt(i);
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ POLYNOMIAL;
      }
    }
    return crc;
  }

  /** The value part of a payload: without version and checksum. */
  public static String withoutTrailer(String payload) {
    return payload.substring(0, payload.length() - TRAILER_BYTES);
  }

  /** A payload of version 9 with this value part and the right checksum. */
  public static String seal(String value) {
    return withChecksum(value + "\u0009\u0000");
  }

  private static String withChecksum(String bytes) {
    StringBuilder sealed = new StringBuilder(bytes);
    long crc = crc64(bytes, bytes.length());
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      sealed.append((char) ((crc >>> (8 * i)) & 0xff));
    }
    return sealed.toString();
  }
}
