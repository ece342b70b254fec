package io.porteiro.protocol;

/**
 * Writes requests into memory the way clients send them: for logs and replicas.
 *
 * <pre>
 *   *2\r\n $3\r\n DEL \r\n $1\r\n k \r\n
 *   head   argument      argument
 * </pre>
 *
 * <p>Unchecked: the caller has counted the bytes.
 */
public final class RequestWriter {
  private static final int LINE_END_BYTES = 2;

  private RequestWriter() {}

  /** Bytes that {@link #head} writes. */
  public static int headBytes(int arguments) {
    return 1 + Numbers.length(arguments) + LINE_END_BYTES;
  }

  /** Bytes that {@link #argument} and its like write. */
  public static long argumentBytes(int length) {
    return headBytes(length) + (long) length + LINE_END_BYTES;
  }

  /** Decimal digits, and the sign, of a number as an argument. */
  public static int numberLength(long number) {
    return Numbers.length(number);
  }

  /**
   * Begins a request.
   *
   * @return the address behind what was written
   */
  public static long head(long to, int arguments) {
    return to + Heads.put(to, (byte) '*', arguments);
  }

  /** An argument that lies in memory. */
  public static long argument(long to, long from, int length) {
    long bytes = to + Heads.put(to, (byte) '$', length);
    NativeBytes.copy(from, bytes, length);
    return end(bytes + length);
  }

  /** An argument that lies on the heap. */
  public static long argument(long to, byte[] from) {
    long bytes = to + Heads.put(to, (byte) '$', from.length);
    NativeBytes.copyFrom(from, 0, bytes, from.length);
    return end(bytes + from.length);
  }

  /** An argument of text, one byte a char. */
  public static long argument(long to, String text) {
    long bytes = to + Heads.put(to, (byte) '$', text.length());
    for (int i = 0; i < text.length(); i++) {
      NativeBytes.putByte(bytes + i, (byte) text.charAt(i));
    }
    return end(bytes + text.length());
  }

  /** A number as an argument. */
  public static long argument(long to, long number) {
    long bytes = to + Heads.put(to, (byte) '$', Numbers.length(number));
    return end(bytes + Numbers.put(bytes, number));
  }

  private static long end(long at) {
    NativeBytes.putByte(at, (byte) '\r');
    NativeBytes.putByte(at + 1, (byte) '\n');
    return at + LINE_END_BYTES;
  }
}
