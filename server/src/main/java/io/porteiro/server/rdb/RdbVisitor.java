package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import java.io.IOException;

/** Takes what is in an RDB file, in the file's order. */
public interface RdbVisitor {
  /** In place of the time at which a key expires. */
  long NO_EXPIRY = Long.MIN_VALUE;

  /** A remark about the file, such as redis-ver, ctime or aof-base; overlong ones are left out. */
  void auxiliary(String name, String value) throws IOException;

  /**
   * The database of the keys that follow; without any, it is 0.
   *
   * @param number unsigned
   * @return false if there is no such database: the file is refused
   */
  boolean selectDatabase(long number) throws IOException;

  /**
   * A key.
   *
   * @param expireAtMs Unix time in milliseconds, perhaps past, or {@link #NO_EXPIRY}
   * @param value the visitor's from here on, whatever it answers or throws
   * @return false if the key is there already: the file is refused
   */
  boolean entry(long database, byte[] key, long expireAtMs, Value value) throws IOException;

  /** A key whose value has a type that we do not have, and was skipped. */
  void foreign(long database, byte[] key, String typeName) throws IOException;
}
