package io.porteiro.server.persistence;

import io.porteiro.server.rdb.RdbSink;
import java.io.IOException;

/** Where a snapshot goes. What is closed without having been committed leaves no trace. */
interface SnapshotTarget extends RdbSink, AutoCloseable {
  /**
   * Everything is written: puts it into force, for good. When this returns, a crash does not undo
   * it.
   */
  void commit() throws IOException;

  @Override
  void close() throws IOException;
}
