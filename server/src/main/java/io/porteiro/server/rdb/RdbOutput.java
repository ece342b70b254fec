package io.porteiro.server.rdb;

import io.porteiro.server.hash.Crc64;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;

/**
 * The bytes of an RDB encoding, written once from front to back: collected off-heap, summed up and
 * handed to the sink whenever the buffer is full.
 */
public final class RdbOutput implements AutoCloseable {
  /** What goes to a file is handed over in pieces of this size. */
  public static final long FILE_BUFFER_BYTES = 1 << 20;

  private final RdbSink sink;
  private final Block buffer;
  private long at;

  /** Where the bytes start that are not in {@link #crc} yet. */
  private long unsummed;

  private long crc;
  private long flushedBytes;

  /**
   * An output that hands its bytes on.
   *
   * @param bufferBytes at least 16
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for the buffer
   */
  public RdbOutput(MemoryPool pool, long bufferBytes, RdbSink sink) {
    this(pool.allocate(bufferBytes), sink);
  }

  private RdbOutput(Block buffer, RdbSink sink) {
    this.sink = sink;
    this.buffer = buffer;
    this.at = buffer.address();
    this.unsummed = at;
  }

  /** An output whose bytes stay in a block, which remains the caller's; not to be closed. */
  public static RdbOutput into(Block block) {
    return new RdbOutput(block, noMoreThan(block.size()));
  }

  /** An output of at most so many bytes, which stay in its buffer. */
  static RdbOutput inMemory(MemoryPool pool, long maxBytes) {
    return new RdbOutput(pool, maxBytes, noMoreThan(maxBytes));
  }

  private static RdbSink noMoreThan(long maxBytes) {
    return (_, length) -> {
      throw new IllegalStateException("more than " + maxBytes + " bytes; flushing " + length);
    };
  }

  /** Bytes written so far. */
  public long offset() {
    return flushedBytes + at - buffer.address();
  }

  /** Bytes that wait in the buffer. */
  public long bufferedBytes() {
    return at - buffer.address();
  }

  /** CRC-64 of all bytes written so far. */
  long checksum() {
    crc = Crc64.update(crc, OffHeap.MEMORY, unsummed, at - unsummed);
    unsummed = at;
    return crc;
  }

  /** Hands everything to the sink. */
  public void flush() throws IOException {
    checksum();
    long length = at - buffer.address();
    sink.write(buffer.address(), length);
    flushedBytes += length;
    at = unsummed = buffer.address();
  }

  /** Of an output in memory: its bytes. The caller holds a count on the block from here on. */
  Block take() {
    buffer.retain();
    return buffer;
  }

  /** What still goes into the buffer without flushing it. */
  public long freeBytes() {
    return buffer.address() + buffer.size() - at;
  }

  /**
   * Where so many bytes may be put for a moment: at the end of the buffer, where they stay until
   * more than {@code written} bytes are written.
   *
   * @return 0 if the buffer has no room for both
   */
  long scratch(long length, long written) {
    return length + written <= freeBytes() ? buffer.address() + buffer.size() - length : 0;
  }

  void writeByte(int b) throws IOException {
    if (freeBytes() == 0) {
      flush();
    }
    OffHeap.putByte(at++, (byte) b);
  }

  void writeLong(long value) throws IOException {
    writeLittleEndian(value, Long.BYTES);
  }

  /** The low {@code bytes} of the value. */
  public void writeLittleEndian(long value, int bytes) throws IOException {
    for (int i = 0; i < bytes; i++) {
      writeByte((int) (value >>> (8 * i)));
    }
  }

  void writeBigEndian(long value, int bytes) throws IOException {
    for (int i = bytes - 1; i >= 0; i--) {
      writeByte((int) (value >>> (8 * i)));
    }
  }

  void write(byte[] bytes) throws IOException {
    for (int done = 0; done < bytes.length; ) {
      int step = (int) room(bytes.length - done);
      OffHeap.copyFrom(bytes, done, at, step);
      at += step;
      done += step;
    }
  }

  /** Writes bytes that are encoded already, or stand for themselves. */
  public void write(long address, long length) throws IOException {
    for (long done = 0; done < length; ) {
      long step = room(length - done);
      OffHeap.copy(address + done, at, step);
      at += step;
      done += step;
    }
  }

  /**
   * Writes so many bytes, at most {@link #FILE_BUFFER_BYTES}, that the caller has yet to put where
   * it is told, before it does anything else with this output.
   */
  long claim(long length) throws IOException {
    if (freeBytes() < length) {
      flush();
    }
    if (freeBytes() < length) {
      throw new IllegalArgumentException(length + " bytes in a piece");
    }
    long claimed = at;
    at += length;
    return claimed;
  }

  /** How many of {@code wanted} bytes can be put at {@link #at}; at least one. */
  private long room(long wanted) throws IOException {
    if (freeBytes() == 0) {
      flush();
    }
    return Math.min(wanted, freeBytes());
  }

  @Override
  public void close() {
    buffer.release();
  }
}
