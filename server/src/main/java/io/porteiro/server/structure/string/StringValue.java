package io.porteiro.server.structure.string;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.ValueType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A string: bytes off-heap, or a number in place of its decimal text.
 *
 * <pre>
 *   block   |  the string's bytes   |  attachment (optional)  |  slack  |
 *           0                     length                            block.size()
 * </pre>
 *
 * <p>Slack makes growing amortised: a string that grows gets as much again, at most 1 MiB more than
 * it needs (Redis's rule). An <em>attachment</em> is what was derived from the bytes and is kept
 * beside them (the register histogram of a HyperLogLog); every change of the bytes drops it, except
 * by {@link #editKeepingAttachment}, whose caller keeps it true.
 *
 * <p>A block that someone else holds too (a snapshot) is never changed: the first change works on a
 * copy. Every method that can fail for memory fails before it has changed anything.
 *
 * <p>Read under the shard's lock, changed under its write lock. Addresses are valid until the next
 * change.
 */
public final class StringValue implements Value {
  /** Longest string that counts as embedded; Redis's limit, of interest to OBJECT ENCODING only. */
  public static final int EMBEDDED_MAX_BYTES = 44;

  /** Strings from here on are given no more slack than this. */
  private static final long MAX_SLACK_BYTES = 1 << 20;

  /** This object, and that of the block, with compressed references. */
  private static final int OWN_HEAP_BYTES = 40;

  private static final int BLOCK_HEAP_BYTES = 40;

  private final MemoryPool pool;

  /** The bytes; without it, the value is a number. */
  private @Nullable Block block;

  /** The length in bytes, or without a block the number itself. */
  private long lengthOrNumber;

  private int attachmentBytes;
  private boolean edited;

  private StringValue(MemoryPool pool, @Nullable Block block, long lengthOrNumber) {
    this.pool = pool;
    this.block = block;
    this.lengthOrNumber = lengthOrNumber;
  }

  /** A number. Takes no memory off-heap. */
  public static StringValue ofNumber(MemoryPool pool, long number) {
    return new StringValue(pool, null, number);
  }

  /**
   * A copy of the bytes; a number where they are the canonical text of one.
   *
   * @throws MemoryLimitException if there is no room
   */
  public static StringValue copyOf(MemoryPool pool, long address, long length) {
    if (Decimal.isCanonical(address, length)) {
      return ofNumber(pool, Decimal.parse(address, length));
    }
    Block block = pool.allocate(length);
    OffHeap.copy(address, block.address(), length);
    return new StringValue(pool, block, length);
  }

  /** As {@link #copyOf(MemoryPool, long, long)}. */
  public static StringValue copyOf(MemoryPool pool, byte[] bytes) {
    Block block = pool.allocate(bytes.length);
    OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
    return adopt(pool, block, bytes.length);
  }

  /**
   * A copy of the bytes, also where they are the text of a number.
   *
   * @throws MemoryLimitException if there is no room
   */
  public static StringValue textOf(MemoryPool pool, byte[] bytes) {
    Block block = pool.allocate(bytes.length);
    OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
    return new StringValue(pool, block, bytes.length);
  }

  /**
   * A string whose bytes are the first {@code length} of the block. The block is the string's from
   * here on (given back at once if the bytes are a number's); its sole holder must be the caller.
   * More than a tenth of slack is cut off.
   *
   * @throws MemoryLimitException if there is no room to cut it; the block is still the caller's
   */
  public static StringValue adopt(MemoryPool pool, Block block, long length) {
    if (Decimal.isCanonical(block.address(), length)) {
      long number = Decimal.parse(block.address(), length);
      block.release();
      return ofNumber(pool, number);
    }
    if (block.size() - length > length / 10) {
      block.resize(length);
    }
    return new StringValue(pool, block, length);
  }

  /**
   * {@code length} zero bytes, {@link StringEncoding#RAW raw} because they are going to be written.
   *
   * @throws MemoryLimitException if there is no room
   */
  public static StringValue zeros(MemoryPool pool, long length) {
    StringValue value = new StringValue(pool, pool.allocate(length), length);
    value.edited = true;
    return value;
  }

  @Override
  public ValueType type() {
    return ValueType.STRING;
  }

  @Override
  public long memoryBytes() {
    return block == null ? OWN_HEAP_BYTES : OWN_HEAP_BYTES + BLOCK_HEAP_BYTES + block.size();
  }

  @Override
  public long touchObjects() {
    Block bytes = block;
    return bytes == null ? lengthOrNumber : bytes.address();
  }

  @Override
  public long countedBytes() {
    return block == null ? 0 : block.size();
  }

  /** {@inheritDoc} With the same encoding, without slack and attachment. */
  @Override
  public StringValue copy() {
    if (block == null) {
      return ofNumber(pool, lengthOrNumber);
    }
    Block bytes = pool.allocate(lengthOrNumber);
    OffHeap.copy(address(), bytes.address(), lengthOrNumber);
    StringValue copy = new StringValue(pool, bytes, lengthOrNumber);
    copy.edited = edited;
    return copy;
  }

  @Override
  public void release() {
    if (block != null) {
      block.release();
    }
  }

  /** How it is kept. */
  public StringEncoding encoding() {
    if (block == null) {
      return StringEncoding.INT;
    }
    return edited || lengthOrNumber > EMBEDDED_MAX_BYTES
        ? StringEncoding.RAW
        : StringEncoding.EMBSTR;
  }

  /** Whether it is kept as a number: it has a {@link #number} and no {@link #address}. */
  public boolean isNumber() {
    return block == null;
  }

  /** The number of a value that {@link #isNumber}. */
  public long number() {
    if (block != null) {
      throw new IllegalStateException("not kept as a number");
    }
    return lengthOrNumber;
  }

  /** Bytes of the string; of a number, of its decimal text. */
  public long length() {
    return block == null ? Decimal.length(lengthOrNumber) : lengthOrNumber;
  }

  /** Where the bytes are, of a value that is not kept as a number. */
  public long address() {
    return block().address();
  }

  /**
   * What holds the bytes (the first {@link #length} of it), of a value that is not kept as a
   * number. Whoever needs them beyond the lock retains it.
   */
  public Block block() {
    if (block == null) {
      throw new IllegalStateException("kept as a number");
    }
    return block;
  }

  /** A copy of the bytes on the heap; for strings shorter than 2 GiB. */
  public byte[] toArray() {
    return block == null
        ? Long.toString(lengthOrNumber).getBytes(StandardCharsets.US_ASCII)
        : OffHeap.toArray(block.address(), Math.toIntExact(lengthOrNumber));
  }

  /** Makes it the number. */
  public void setNumber(long number) {
    release();
    block = null;
    lengthOrNumber = number;
    attachmentBytes = 0;
    edited = false;
  }

  /**
   * Adds bytes at the end. They must not be the string's own.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void append(long address, long length) {
    setRange(length(), address, length);
  }

  /**
   * Overwrites from an offset on, growing as needed; a gap behind the old end is zeros. The bytes
   * must not be the string's own.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void setRange(long offset, long address, long length) {
    reserve(Math.max(length(), offset + length), MAX_SLACK_BYTES);
    if (offset + length > lengthOrNumber) {
      setLength(offset + length);
    }
    OffHeap.copy(address, edit() + offset, length);
  }

  /**
   * Whether it can take over other bytes {@link #overwrite in its place} and then be as if made of
   * them: no number, as long as they are, without slack, and held by nobody else.
   */
  public boolean canBecome(long address, long length) {
    return block != null
        && lengthOrNumber == length
        && block.size() == length
        && !block.isShared()
        && !Decimal.isCanonical(address, length);
  }

  /** Takes over the bytes of one that it {@link #canBecome}. */
  public void overwrite(long address) {
    OffHeap.copy(address, edit(), lengthOrNumber);
    edited = false;
  }

  /**
   * Where the bytes may be changed in place. Raw from here on, and without an attachment.
   *
   * @throws MemoryLimitException if a copy is needed and there is no room; nothing has changed
   */
  public long edit() {
    long address = editKeepingAttachment();
    attachmentBytes = 0;
    return address;
  }

  /** As {@link #edit}, by one who keeps the attachment true to the bytes. */
  public long editKeepingAttachment() {
    reserve(length() + attachmentBytes, 0);
    edited = true;
    return block().address();
  }

  /**
   * Makes room, so that the string can grow up to {@code length} without failing. Where it must
   * move, it gets as much slack as it is long, at most {@code maxSlack} bytes. A number becomes its
   * text.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void reserve(long length, long maxSlack) {
    Block now = block;
    long needed = Math.max(length, length());
    if (now == null) {
      block = textBlock(needed);
      lengthOrNumber = Decimal.length(lengthOrNumber);
      edited = true;
    } else if (now.isShared()) {
      block = copyOf(now, lengthOrNumber + attachmentBytes, Math.max(needed, now.size()));
      now.release();
    } else if (needed > now.size()) {
      now.resize(needed + Math.min(needed, maxSlack));
    }
  }

  private Block textBlock(long size) {
    Block text = pool.allocate(size);
    Decimal.write(lengthOrNumber, text.address());
    return text;
  }

  /** Not refused for want of memory, unless it is larger: the snapshot that shares it pays. */
  private Block copyOf(Block shared, long length, long size) {
    Block copy = pool.allocateInPlaceOf(shared, size);
    OffHeap.copy(shared.address(), copy.address(), length);
    return copy;
  }

  /**
   * Cuts the end off, or adds zeros. Never fails within what was {@link #reserve reserved}. Drops
   * the attachment.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void setLength(long length) {
    reserve(length, 0);
    long address = edit();
    if (length > lengthOrNumber) {
      OffHeap.fill(address + lengthOrNumber, length - lengthOrNumber, (byte) 0);
    }
    lengthOrNumber = length;
  }

  /** Gives slack back, if the system can; a string that is not its block's sole holder keeps it. */
  public void trim() {
    long needed = lengthOrNumber + attachmentBytes;
    if (block == null || block.isShared() || block.size() == needed) {
      return;
    }
    try {
      block.resize(needed);
    } catch (MemoryLimitException _) {
      // Slack is harmless.
    }
  }

  /** Bytes of the attachment, 0 without one. */
  public int attachmentBytes() {
    return attachmentBytes;
  }

  /**
   * Where the attachment is: right behind the string, so as aligned as its length. What is written
   * there must be written under the write lock.
   */
  public long attachmentAddress() {
    return address() + lengthOrNumber;
  }

  /**
   * Adds an attachment of undefined content. The bytes of the string, its length and its encoding
   * stay.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void attach(int bytes) {
    block();
    reserve(lengthOrNumber + bytes, 0);
    attachmentBytes = bytes;
  }
}
