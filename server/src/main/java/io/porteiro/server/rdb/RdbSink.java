package io.porteiro.server.rdb;

import java.io.IOException;

/** Where an {@link RdbOutput} puts its bytes: a file, later a replica's socket. */
@FunctionalInterface
public interface RdbSink {
  /** Takes all of these bytes; they may be overwritten after it has returned. */
  void write(long address, long length) throws IOException;
}
