package io.porteiro.server.persistence.log;

import io.porteiro.server.command.Effects;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What was appended to the log and is not written yet. Appending encodes into memory and never
 * waits for a disk. Any thread.
 */
final class LogQueue {
  private static final long PART_BYTES = 64 << 10;
  private static final int MAX_SPARE_BLOCKS = 2;

  private final MemoryPool pool;
  private final UnitEncoder encoder = new UnitEncoder();

  /** The last one takes what is appended. */
  private final ArrayDeque<LogPart> parts = new ArrayDeque<>();

  private final ArrayDeque<Block> spare = new ArrayDeque<>();
  private @Nullable LogFile target;
  private volatile long position;
  private volatile long bytes;

  /** Of all blocks, those in parts that were taken out and those in reserve included. */
  private volatile long memoryBytes;

  LogQueue(MemoryPool pool) {
    this.pool = pool;
  }

  /** The position behind the last unit. */
  long position() {
    return position;
  }

  /** Bytes that wait. */
  long bytes() {
    return bytes;
  }

  /** Bytes of the blocks in which they wait, and of those in reserve. */
  long memoryBytes() {
    return memoryBytes;
  }

  /**
   * Adds a unit; without a target file it is dropped.
   *
   * @param seconds Unix time to note, or 0
   * @return the position behind it
   */
  synchronized long append(Effects unit, long seconds) {
    if (target != null) {
      LogPart part = partFor(target, UnitEncoder.maxBytes(unit));
      long added = encoder.write(unit, part.end(), seconds) - part.end();
      position = position + added;
      bytes = bytes + added;
      part.added(added, position);
    }
    return position;
  }

  private LogPart partFor(LogFile file, long unitBytes) {
    LogPart last = parts.peekLast();
    if (last == null || last.file() != file || !last.hasRoom(unitBytes)) {
      last = new LogPart(file, block(unitBytes));
      parts.add(last);
    }
    return last;
  }

  private Block block(long unitBytes) {
    Block kept = unitBytes <= PART_BYTES ? spare.poll() : null;
    return kept != null ? kept : newBlock(Math.max(PART_BYTES, unitBytes));
  }

  private synchronized Block newBlock(long size) {
    Block block = pool.allocateUnlimited(size);
    memoryBytes = memoryBytes + size;
    return block;
  }

  /**
   * What is appended from now on goes into this file; null: nowhere.
   *
   * @return the position of the change
   */
  synchronized long setTarget(@Nullable LogFile file) {
    target = file;
    encoder.beginFile();
    return position;
  }

  /** Takes out the oldest part; null if nothing waits. It is to be given to {@link #recycle}. */
  synchronized @Nullable LogPart take() {
    return parts.poll();
  }

  /** A part that was taken is written, or of no use. */
  synchronized void recycle(LogPart part) {
    bytes = bytes - part.bytes();
    if (part.block().size() == PART_BYTES && spare.size() < MAX_SPARE_BLOCKS) {
      spare.add(part.block());
    } else {
      memoryBytes = memoryBytes - part.block().size();
      part.block().release();
    }
  }
}
