package io.porteiro.server.net.tls;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * ASN.1 in DER, as far as keys need it: elements of {@code tag, length, content}, where the content
 * of a constructed element is elements again.
 *
 * <pre>
 *   30 0d           SEQUENCE of 13 bytes
 *     02 01 00        INTEGER 0
 *     04 08 ...       OCTET STRING of 8 bytes
 * </pre>
 *
 * Reading past the end or a length that is not there is an {@link IllegalArgumentException}.
 */
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTET_STRING = 0x04;
  static final int NULL = 0x05;
  static final int OBJECT_ID = 0x06;
  static final int SEQUENCE = 0x30;

  /** The element [0] of a sequence with optional members. */
  static final int CONTEXT_0 = 0xa0;

  private final byte[] encoded;
  private final ByteBuffer rest;

  private Der(byte[] encoded) {
    this.encoded = encoded;
    this.rest = ByteBuffer.wrap(encoded);
  }

  /** Reads elements one after the other. */
  static Der of(byte[] encoded) {
    return new Der(encoded);
  }

  boolean hasNext() {
    return rest.hasRemaining();
  }

  /** The tag of the next element, or -1 at the end. */
  int peek() {
    return hasNext() ? rest.get(rest.position()) & 0xff : -1;
  }

  /** The members of the next element, which must have this tag. */
  Der enter(int tag) {
    return of(next(tag));
  }

  /** The content of the next element, which must have this tag. */
  byte[] next(int tag) {
    if (!hasNext() || peek() != tag) {
      throw new IllegalArgumentException("unexpected structure");
    }
    rest.get();
    byte[] content = new byte[length()];
    rest.get(content);
    return content;
  }

  /** The next element whole, whatever it is. */
  byte[] nextWhole() {
    int begin = rest.position();
    next(peek());
    return Arrays.copyOfRange(encoded, begin, rest.position());
  }

  void skip() {
    next(peek());
  }

  /** The next element, a small positive number. */
  int number() {
    byte[] bytes = next(INTEGER);
    if (bytes.length > Integer.BYTES) {
      throw new IllegalArgumentException("number too large");
    }
    int value = 0;
    for (byte b : bytes) {
      value = (value << 8) | (b & 0xff);
    }
    return value;
  }

  private int length() {
    if (!hasNext()) {
      throw new IllegalArgumentException("truncated");
    }
    int first = rest.get() & 0xff;
    int length = first < 0x80 ? first : longLength(first & 0x7f);
    if (length < 0 || length > rest.remaining()) {
      throw new IllegalArgumentException("truncated");
    }
    return length;
  }

  private int longLength(int bytes) {
    if (bytes > 3 || bytes > rest.remaining()) {
      throw new IllegalArgumentException("too long");
    }
    int length = 0;
    for (int i = 0; i < bytes; i++) {
      length = (length << 8) | (rest.get() & 0xff);
    }
    return length;
  }

  /** An element with the given parts, one after the other, as its content. */
  static byte[] element(int tag, byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    ByteBuffer out = ByteBuffer.allocate(length + 5);
    out.put((byte) tag);
    putLength(out, length);
    for (byte[] part : parts) {
      out.put(part);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void putLength(ByteBuffer out, int length) {
    if (length < 0x80) {
      out.put((byte) length);
    } else {
      out.put((byte) 0x83).put((byte) (length >> 16)).putShort((short) length);
    }
  }
}
