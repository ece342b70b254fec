package io.porteiro.server.persistence.log;

import java.io.IOException;

/**
 * An incremental file that is open. Bytes are written whole or not at all: after a failure the file
 * is cut back, as soon as that is possible.
 */
public final class LogFile {
  private final DiskFile file;
  private volatile long size;
  private boolean isLonger;
  private volatile long syncedSize;
  private boolean closed;

  /**
   * @param size where writing goes on; what is in the file until there counts as synced
   */
  public LogFile(DiskFile file, long size) {
    this.file = file;
    this.size = size;
    this.syncedSize = size;
  }

  long size() {
    return size;
  }

  /** Writes all the bytes; where this fails, none of them count. */
  void write(long address, long length) throws IOException {
    cutBack();
    isLonger = true;
    try {
      file.writeFully(address, length);
      grown(length);
    } catch (IOException e) {
      tryCutBack(e);
      throw e;
    }
  }

  private synchronized void grown(long length) {
    size += length;
    isLonger = false;
  }

  private void cutBack() throws IOException {
    if (isLonger) {
      file.truncate(size);
      isLonger = false;
    }
  }

  private void tryCutBack(IOException failure) {
    try {
      cutBack();
    } catch (IOException e) {
      failure.addSuppressed(e); // tried again before the next write
    }
  }

  /** Whether something was written that is not synced. */
  boolean isDirty() {
    return syncedSize < size;
  }

  /** What was written before this stays after a crash. Not at the same time as {@link #close}. */
  void sync() throws IOException {
    long written = size;
    file.sync();
    syncedSize = written;
  }

  void close() throws IOException {
    if (!closed) {
      closed = true;
      file.close();
    }
  }
}
