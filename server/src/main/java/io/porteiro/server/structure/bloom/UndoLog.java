package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a running snapshot needs in order to write the bits of a link as they were when it captured
 * them, while clients go on to set more.
 *
 * <p>Bits only ever go from 0 to 1, so it is enough to note which were set since: cleared in a
 * copy, they give the old state. Notes are kept per chunk of the bit array, and only until the
 * snapshot has taken the chunk.
 *
 * <pre>
 *   chunk    |  1 MiB  |  1 MiB  |  1 MiB  | ... |  rest  |      of the bit array
 *   record   |  16 B   |  16 B   |  16 B   | ... |  16 B  |      {@link #records}
 *                |
 *                v  newest cell, 8 bytes | notes, 4 bytes | state, 4 bytes
 *   cell     | next older cell, 8 bytes | note | note | ...      4 bytes a note:
 *                                                                the bit's index in the chunk
 * </pre>
 *
 * A chunk with so many notes that a copy takes no more, or one that is going to be overwritten, is
 * <em>preserved</em>: copied as it was; from then on nothing is noted of it.
 *
 * <p>Its monitor, not the shard's lock, guards the notes and the setting of bits, because a filter
 * that is renamed meanwhile changes its shard. The monitor is taken with the shard locked, never
 * the other way round.
 */
public final class UndoLog {
  static final long CHUNK_BYTES = SnapshotMemory.SLAB_BYTES;

  private static final int CHUNK_SHIFT = 23;
  private static final long CHUNK_BITS = 1L << CHUNK_SHIFT;

  private static final int RECORD_BYTES = 16;
  private static final int NOTES_OFFSET = 8;
  private static final int STATE_OFFSET = 12;

  private static final int CELL_HEADER_BYTES = 8;
  private static final long NOTE_BYTES = 4;
  private static final int NOTES_PER_CELL =
      (int) ((SnapshotMemory.CELL_BYTES - CELL_HEADER_BYTES) / NOTE_BYTES);

  /** The snapshot has not taken the chunk, and what is set in it is noted. */
  private static final int OPEN = 0;

  private static final int PRESERVED = 1;

  /** The snapshot has taken the chunk. */
  private static final int TAKEN = 2;

  private final SnapshotMemory memory;
  private final Block bits;
  private final long address;
  private final long bytes;
  private final Map<Integer, Block> preserved = new HashMap<>(0);

  /**
   * Whether a chunk is being copied: its bits are kept, also if a writer ends the log meanwhile.
   */
  private boolean copying;

  /** Null once the log has ended. */
  private @Nullable Block records;

  private UndoLog(SnapshotMemory memory, Block bits, long bytes) {
    this.memory = memory;
    this.bits = bits;
    this.address = bits.address();
    this.bytes = bytes;
  }

  /**
   * A log of a bit array, which it holds until it {@link #end ends}. If there is no memory for it,
   * it has ended already, and the snapshot is given up.
   */
  static UndoLog begin(SnapshotMemory memory, Block bits, long bytes) {
    UndoLog log = new UndoLog(memory, bits, bytes);
    Block records = memory.take(log.chunks() * (long) RECORD_BYTES);
    if (records != null) {
      OffHeap.fill(records.address(), records.size(), (byte) 0);
      bits.holdForSnapshot();
      log.records = records;
    }
    return log;
  }

  /** Into how many pieces the bit array is cut. */
  public int chunks() {
    return (int) ((bytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
  }

  /** The length of a chunk, at most 1 MiB. */
  public long chunkBytes(int chunk) {
    return Math.min(CHUNK_BYTES, bytes - chunk * CHUNK_BYTES);
  }

  /** Whether nothing has to be noted any more. To be asked, and heeded, under the monitor. */
  boolean hasEnded() {
    return records == null;
  }

  /**
   * Sets a bit and notes it where that is new. Under the monitor.
   *
   * @return 0 if it was set already
   */
  int set(long index) {
    long at = address + (index >>> 3);
    int before = OffHeap.getByte(at);
    int mask = 1 << (index & 7);
    if ((before & mask) != 0) {
      return 0;
    }
    note(index);
    OffHeap.putByte(at, (byte) (before | mask));
    return 1;
  }

  /** Notes a bit that is going to be set. */
  private void note(long index) {
    Block table = records;
    int chunk = (int) (index >>> CHUNK_SHIFT);
    if (table == null || OffHeap.getInt(record(table, chunk) + STATE_OFFSET) != OPEN) {
      return;
    }
    long record = record(table, chunk);
    int notes = OffHeap.getInt(record + NOTES_OFFSET);
    if ((notes + 1L) * NOTE_BYTES > chunkBytes(chunk)) {
      preserve(table, chunk);
    } else if (notes % NOTES_PER_CELL != 0 || addCell(record)) {
      putNote(record, notes, (int) (index & (CHUNK_BITS - 1)));
    }
  }

  private static long record(Block table, int chunk) {
    return table.address() + chunk * (long) RECORD_BYTES;
  }

  private static void putNote(long record, int notes, int note) {
    long cell = OffHeap.getLong(record);
    int place = notes % NOTES_PER_CELL;
    OffHeap.putInt(cell + CELL_HEADER_BYTES + place * NOTE_BYTES, note);
    OffHeap.putInt(record + NOTES_OFFSET, notes + 1);
  }

  /** False if the snapshot is given up; then the log has ended. */
  private boolean addCell(long record) {
    long cell = memory.takeCell();
    if (cell == 0) {
      end();
      return false;
    }
    OffHeap.putLong(cell, OffHeap.getLong(record));
    OffHeap.putLong(record, cell);
    return true;
  }

  /** Keeps all chunks of a range as they were, because it is going to be overwritten. */
  synchronized void preserve(long offset, long length) {
    int end = (int) ((offset + length + CHUNK_BYTES - 1) / CHUNK_BYTES);
    for (int chunk = (int) (offset / CHUNK_BYTES); chunk < end; chunk++) {
      Block table = records;
      if (table != null && OffHeap.getInt(record(table, chunk) + STATE_OFFSET) == OPEN) {
        preserve(table, chunk);
      }
    }
  }

  private void preserve(Block table, int chunk) {
    Block copy = memory.take(chunkBytes(chunk));
    if (copy == null) {
      end();
      return;
    }
    long record = record(table, chunk);
    OffHeap.copy(address + chunk * CHUNK_BYTES, copy.address(), chunkBytes(chunk));
    clearNoted(copy.address(), OffHeap.getLong(record), OffHeap.getInt(record + NOTES_OFFSET));
    preserved.put(chunk, copy);
    close(record, PRESERVED);
  }

  private static void close(long record, int state) {
    OffHeap.putLong(record, 0);
    OffHeap.putInt(record + NOTES_OFFSET, 0);
    OffHeap.putInt(record + STATE_OFFSET, state);
  }

  /** Clears what was noted in a copy of the chunk, and gives the notes' cells back. */
  private void clearNoted(long copy, long newestCell, int notes) {
    long cell = newestCell;
    int left = notes;
    while (cell != 0) {
      int inCell = left - (left - 1) / NOTES_PER_CELL * NOTES_PER_CELL;
      for (int i = 0; i < inCell; i++) {
        clear(copy, OffHeap.getInt(cell + CELL_HEADER_BYTES + i * NOTE_BYTES));
      }
      left -= inCell;
      long older = OffHeap.getLong(cell);
      memory.giveBackCell(cell);
      cell = older;
    }
  }

  private static void clear(long copy, int bit) {
    long at = copy + (bit >>> 3);
    OffHeap.putByte(at, (byte) (OffHeap.getByte(at) & ~(1 << (bit & 7))));
  }

  /**
   * Copies a chunk as it was when the log began; once for each, after which nothing is noted of it
   * any more. For the snapshot.
   *
   * <p>The bits are copied without the monitor, so that no writer waits for it: which of those that
   * are set meanwhile get into the copy is left to chance, but all of them are noted before they
   * are set, and so are cleared.
   *
   * @return false if the log has ended, because there was no memory for it
   */
  public boolean takeChunk(int chunk, long to) {
    if (!beginCopy()) {
      return false;
    }
    OffHeap.copy(address + chunk * CHUNK_BYTES, to, chunkBytes(chunk));
    long newestCell;
    int notes;
    Block copy;
    synchronized (this) {
      copying = false;
      Block table = records;
      if (table == null) {
        bits.releaseFromSnapshot();
        return false;
      }
      long record = record(table, chunk);
      newestCell = OffHeap.getLong(record);
      notes = OffHeap.getInt(record + NOTES_OFFSET);
      copy = preserved.remove(chunk);
      close(record, TAKEN);
    }
    if (copy != null) {
      OffHeap.copy(copy.address(), to, chunkBytes(chunk));
      memory.giveBack(copy);
    }
    clearNoted(to, newestCell, notes);
    return true;
  }

  private synchronized boolean beginCopy() {
    copying = records != null;
    return copying;
  }

  /**
   * Gives everything back, the bits after a copy that is being made. The link notices at its next
   * change that the log is of no use.
   */
  public synchronized void end() {
    Block table = records;
    if (table != null) {
      for (int chunk = 0; chunk < chunks(); chunk++) {
        giveBackCells(OffHeap.getLong(record(table, chunk)));
      }
      preserved.values().forEach(memory::giveBack);
      preserved.clear();
      records = null;
      memory.giveBack(table);
      if (!copying) {
        bits.releaseFromSnapshot();
      }
    }
  }

  private void giveBackCells(long newestCell) {
    long cell = newestCell;
    while (cell != 0) {
      long older = OffHeap.getLong(cell);
      memory.giveBackCell(cell);
      cell = older;
    }
  }
}
