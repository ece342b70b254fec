package io.porteiro.server.rdb;

import io.porteiro.server.hash.Crc64;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What DUMP answers and RESTORE takes.
 *
 * <pre>
 *   type byte | value as in a file | RDB version, 2 bytes | CRC-64 of all before, 8 bytes
 * </pre>
 */
public final class DumpPayload implements AutoCloseable {
  private static final int VERSION_BYTES = 2;
  private static final int CHECKSUM_BYTES = 8;
  private static final int FOOTER_BYTES = VERSION_BYTES + CHECKSUM_BYTES;

  private final Block block;
  private final long length;

  private DumpPayload(Block block, long length) {
    this.block = block;
    this.length = length;
  }

  /**
   * The payload of a value, under the lock that guards it.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  public static DumpPayload of(Value value, MemoryPool pool, boolean compress) {
    long maxBytes = ValueWriter.maxBytes(value) + FOOTER_BYTES;
    try (RdbOutput out = RdbOutput.inMemory(pool, maxBytes)) {
      out.writeByte(ValueWriter.typeCode(value.type()));
      new ValueWriter(pool, compress).write(out, value);
      out.writeLittleEndian(RdbVersion.WRITTEN, VERSION_BYTES);
      out.writeLong(out.checksum());
      return new DumpPayload(out.take(), out.offset());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
  }

  public long address() {
    return block.address();
  }

  /** What holds the bytes, from its beginning. */
  public Block block() {
    return block;
  }

  public long length() {
    return length;
  }

  @Override
  public void close() {
    block.release();
  }

  /** Whether length, version and checksum of a payload are right. */
  public static boolean isIntact(long address, long length) {
    if (length < FOOTER_BYTES) {
      return false;
    }
    long footer = address + length - FOOTER_BYTES;
    int version = OffHeap.getShort(footer) & 0xffff;
    return version <= RdbVersion.NEWEST_READ
        && Crc64.update(0, OffHeap.MEMORY, address, length - CHECKSUM_BYTES)
            == OffHeap.getLong(footer + VERSION_BYTES);
  }

  /**
   * The value of an {@link #isIntact intact} payload; bytes behind it are left alone, as Redis
   * does. It belongs to the caller.
   *
   * @return null if it does not decode or has a type that we do not have
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  public static @Nullable Value read(long address, long length, MemoryPool pool) {
    RdbInput in = new MemoryRdbInput(address, length - FOOTER_BYTES);
    try {
      return new ValueReader(pool).read(in, in.readByte()) instanceof Decoded.Ours(Value value)
          ? value
          : null;
    } catch (IOException _) {
      return null;
    }
  }
}
