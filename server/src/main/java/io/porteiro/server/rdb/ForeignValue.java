package io.porteiro.server.rdb;

import java.io.IOException;

/**
 * Values of types that we do not have. Those whose end can be found are skipped, so that a file
 * with them can be read around them or its refusal can say how many there are.
 */
final class ForeignValue {
  private static final int STREAM_ID_BYTES = 16;
  private static final int TIME_BYTES = 8;

  /** In place of the length of a sorted set's score: not a number, and the infinities. */
  private static final int SCORE_NAN = 253;

  private ForeignValue() {}

  /**
   * Skips a value.
   *
   * @return the name of its type
   * @throws RdbFormatException if the type is unknown, or cannot be skipped
   */
  static String skip(RdbInput in, int type) throws IOException {
    return switch (type) {
      case ValueCode.LIST, ValueCode.LIST_QUICKLIST -> skipStrings(in, 1, "list");
      case ValueCode.LIST_QUICKLIST_2 -> skipQuicklist2(in);
      case ValueCode.LIST_ZIPLIST -> skipString(in, "list");
      case ValueCode.SET -> skipStrings(in, 1, "set");
      case ValueCode.SET_INTSET, ValueCode.SET_LISTPACK -> skipString(in, "set");
      case ValueCode.ZSET -> skipSortedSet(in);
      case ValueCode.ZSET_2 -> skipSortedSet2(in);
      case ValueCode.ZSET_ZIPLIST, ValueCode.ZSET_LISTPACK -> skipString(in, "zset");
      case ValueCode.HASH -> skipStrings(in, 2, "hash");
      case ValueCode.HASH_ZIPMAP, ValueCode.HASH_ZIPLIST, ValueCode.HASH_LISTPACK ->
          skipString(in, "hash");
      case ValueCode.HASH_WITH_EXPIRY -> skipHashWithExpiry(in);
      case ValueCode.HASH_LISTPACK_WITH_EXPIRY -> skipHashListpackWithExpiry(in);
      case ValueCode.STREAM, ValueCode.STREAM_2, ValueCode.STREAM_3 -> skipStream(in, type);
      default -> throw in.bad("unknown or unreadable value type " + type);
    };
  }

  private static String skipString(RdbInput in, String typeName) throws IOException {
    StringInput.skip(in);
    return typeName;
  }

  /** A count, and that many times {@code each} strings. */
  private static String skipStrings(RdbInput in, int each, String typeName) throws IOException {
    for (long left = readCount(in); left > 0; left--) {
      for (int i = 0; i < each; i++) {
        StringInput.skip(in);
      }
    }
    return typeName;
  }

  /** Every counted thing takes at least a byte, which bounds the loop over them. */
  private static long readCount(RdbInput in) throws IOException {
    long count = LengthCode.read(in);
    in.require(count);
    return count;
  }

  private static String skipQuicklist2(RdbInput in) throws IOException {
    for (long left = readCount(in); left > 0; left--) {
      LengthCode.read(in); // the container
      StringInput.skip(in);
    }
    return "list";
  }

  private static String skipSortedSet(RdbInput in) throws IOException {
    for (long left = readCount(in); left > 0; left--) {
      StringInput.skip(in);
      int length = in.readByte();
      if (length < SCORE_NAN) {
        in.skip(length);
      }
    }
    return "zset";
  }

  private static String skipSortedSet2(RdbInput in) throws IOException {
    for (long left = readCount(in); left > 0; left--) {
      StringInput.skip(in);
      in.skip(Double.BYTES);
    }
    return "zset";
  }

  private static String skipHashWithExpiry(RdbInput in) throws IOException {
    in.skip(TIME_BYTES);
    for (long left = readCount(in); left > 0; left--) {
      LengthCode.read(in); // the field's expiry
      StringInput.skip(in);
      StringInput.skip(in);
    }
    return "hash";
  }

  private static String skipHashListpackWithExpiry(RdbInput in) throws IOException {
    in.skip(TIME_BYTES);
    return skipString(in, "hash");
  }

  private static String skipStream(RdbInput in, int type) throws IOException {
    skipStrings(in, 2, "stream"); // nodes: master id and listpack
    skipLengths(in, type == ValueCode.STREAM ? 3 : 8); // length and last id; later also other ids
    for (long left = readCount(in); left > 0; left--) {
      skipConsumerGroup(in, type);
    }
    return "stream";
  }

  private static void skipConsumerGroup(RdbInput in, int type) throws IOException {
    StringInput.skip(in);
    skipLengths(in, type == ValueCode.STREAM ? 2 : 3); // last id; later also entries read
    for (long left = readCount(in); left > 0; left--) {
      in.skip(STREAM_ID_BYTES + TIME_BYTES);
      LengthCode.read(in); // deliveries
    }
    for (long left = readCount(in); left > 0; left--) {
      skipConsumer(in, type);
    }
  }

  private static void skipConsumer(RdbInput in, int type) throws IOException {
    StringInput.skip(in);
    in.skip(type == ValueCode.STREAM_3 ? 2 * TIME_BYTES : TIME_BYTES); // seen; later also active
    for (long left = readCount(in); left > 0; left--) {
      in.skip(STREAM_ID_BYTES);
    }
  }

  private static void skipLengths(RdbInput in, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      LengthCode.read(in);
    }
  }
}
