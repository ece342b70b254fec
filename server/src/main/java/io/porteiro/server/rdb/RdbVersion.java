package io.porteiro.server.rdb;

/** Versions of the RDB format, of files and DUMP payloads alike. */
public final class RdbVersion {
  /** The lowest that holds all we write, so that Redis 5 and everything newer reads it. */
  public static final int WRITTEN = 9;

  public static final int OLDEST_READ = 1;

  public static final int NEWEST_READ = 13;

  /** Files of older versions end without a checksum. */
  static final int CHECKSUM_SINCE = 5;

  private RdbVersion() {}
}
