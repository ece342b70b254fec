package io.porteiro.server.persistence.log;

import io.porteiro.server.memory.Block;

/**
 * Whole units in memory, on their way to one file.
 *
 * @see LogWriter
 */
final class LogPart {
  private final LogFile file;
  private final Block block;
  private long bytes;
  private long endPosition;

  LogPart(LogFile file, Block block) {
    this.file = file;
    this.block = block;
  }

  LogFile file() {
    return file;
  }

  Block block() {
    return block;
  }

  long address() {
    return block.address();
  }

  /** Where the next unit is to be written. */
  long end() {
    return block.address() + bytes;
  }

  boolean hasRoom(long unitBytes) {
    return block.size() - bytes >= unitBytes;
  }

  long bytes() {
    return bytes;
  }

  /** The position behind the last unit. */
  long endPosition() {
    return endPosition;
  }

  void added(long unitBytes, long position) {
    bytes += unitBytes;
    endPosition = position;
  }
}
