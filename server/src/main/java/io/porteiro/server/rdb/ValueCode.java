package io.porteiro.server.rdb;

/** The byte before a value that tells its type and encoding. */
final class ValueCode {
  static final int STRING = 0;
  static final int LIST = 1;
  static final int SET = 2;
  static final int ZSET = 3;
  static final int HASH = 4;
  static final int ZSET_2 = 5;

  /** A module value without items of known kinds: its end cannot be found. */
  static final int MODULE_1 = 6;

  static final int MODULE = 7;
  static final int HASH_ZIPMAP = 9;
  static final int LIST_ZIPLIST = 10;
  static final int SET_INTSET = 11;
  static final int ZSET_ZIPLIST = 12;
  static final int HASH_ZIPLIST = 13;
  static final int LIST_QUICKLIST = 14;
  static final int STREAM = 15;
  static final int HASH_LISTPACK = 16;
  static final int ZSET_LISTPACK = 17;
  static final int LIST_QUICKLIST_2 = 18;
  static final int STREAM_2 = 19;
  static final int SET_LISTPACK = 20;
  static final int STREAM_3 = 21;
  static final int HASH_WITH_EXPIRY = 24;
  static final int HASH_LISTPACK_WITH_EXPIRY = 25;

  private ValueCode() {}
}
