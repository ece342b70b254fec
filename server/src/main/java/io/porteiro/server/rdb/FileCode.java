package io.porteiro.server.rdb;

/** The bytes at which the items of a file start that are not keys with their values. */
final class FileCode {
  /** No value type is as high. */
  static final int FIRST = 0xf0;

  static final int SLOT_INFO = 0xf4;
  static final int FUNCTION_LIBRARY = 0xf5;
  static final int MODULE_AUXILIARY = 0xf7;
  static final int IDLE_TIME = 0xf8;
  static final int FREQUENCY = 0xf9;
  static final int AUXILIARY = 0xfa;
  static final int SIZE_HINT = 0xfb;
  static final int EXPIRE_AT_MS = 0xfc;
  static final int EXPIRE_AT_SECONDS = 0xfd;
  static final int SELECT_DATABASE = 0xfe;
  static final int EOF = 0xff;

  private FileCode() {}
}
