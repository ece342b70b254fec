package io.porteiro.server.persistence;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.rdb.EntryEncoding;
import io.porteiro.server.rdb.RdbOutput;
import io.porteiro.server.store.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Small entries that writers captured, off-heap and as they will stand in the file, though never
 * packed: whoever captures holds a lock.
 *
 * <pre>
 *   slab  | item | item | ... |      1 MiB
 *   item  | database, 4 bytes | length, 4 bytes | expiry, type, key, value |
 * </pre>
 *
 * Not for several threads.
 */
final class PendingItems {
  /** Entries of at most so many bytes belong here; larger ones are better held than copied. */
  static final long MAX_ITEM_BYTES = 64 << 10;

  private static final int LENGTH_OFFSET = 4;
  private static final int HEADER_BYTES = 8;

  private final SnapshotMemory memory;
  private final EntryEncoding encoding;
  private final Deque<Batch> batches = new ArrayDeque<>();

  /**
   * No items.
   *
   * @param encoding which packs nothing
   */
  PendingItems(SnapshotMemory memory, EntryEncoding encoding) {
    this.memory = memory;
    this.encoding = encoding;
  }

  /** Takes an encoded item. */
  interface Visitor {
    void item(int database, long address, long length) throws IOException;
  }

  /** The items of one slab. */
  static final class Batch {
    private final Block slab;
    private final RdbOutput out;

    private Batch(Block slab) {
      this.slab = slab;
      this.out = RdbOutput.into(slab);
    }

    private void add(EntryEncoding encoding, int database, Entry entry) {
      long item = slab.address() + out.offset();
      try {
        out.writeLittleEndian(database, LENGTH_OFFSET);
        out.writeLittleEndian(0, HEADER_BYTES - LENGTH_OFFSET);
        encoding.write(out, entry.key(), entry.expireAtMs(), entry.value());
      } catch (IOException e) {
        throw new UncheckedIOException(e); // memory does not fail
      }
      long end = slab.address() + out.offset();
      OffHeap.putInt(item + LENGTH_OFFSET, (int) (end - item - HEADER_BYTES));
    }

    /** Hands over all items, oldest first. */
    void forEach(Visitor visitor) throws IOException {
      long end = slab.address() + out.offset();
      for (long item = slab.address(); item < end; ) {
        int length = OffHeap.getInt(item + LENGTH_OFFSET);
        visitor.item(OffHeap.getInt(item), item + HEADER_BYTES, length);
        item += HEADER_BYTES + length;
      }
    }
  }

  boolean isSmall(Entry entry) {
    return encoding.maxBytes(entry.key(), entry.value()) <= MAX_ITEM_BYTES;
  }

  /** Adds a {@link #isSmall small} entry as it stands; not if the snapshot is given up. */
  void add(int database, Entry entry) {
    Batch batch = batchWithRoom();
    if (batch != null) {
      batch.add(encoding, database, entry);
    }
  }

  private @Nullable Batch batchWithRoom() {
    Batch last = batches.peekLast();
    if (last != null && last.out.freeBytes() >= HEADER_BYTES + MAX_ITEM_BYTES) {
      return last;
    }
    Block slab = memory.takeSlab();
    if (slab != null) {
      batches.add(new Batch(slab));
    }
    return slab == null ? null : batches.getLast();
  }

  /** The oldest batch, which goes on growing no more; null if there is none. */
  @Nullable Batch poll() {
    return batches.poll();
  }

  void giveBack(Batch batch) {
    memory.giveBack(batch.slab);
  }

  /** Forgets everything. */
  void clear() {
    batches.forEach(this::giveBack);
    batches.clear();
  }
}
