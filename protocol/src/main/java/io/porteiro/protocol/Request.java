package io.porteiro.protocol;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One request: its arguments (the command's name is the first) as addresses of contiguous off-heap
 * bytes. Valid until its batch is decoded into again, or its decoder is fed, rewound or closed.
 */
public final class Request {
  private int first;
  private int count;
  private long start;
  private long entries;
  private @Nullable UnfinishedRequest owner;
  private boolean lacksMemory;
  private boolean likeBefore;

  /** A request without arguments. */
  public Request() {}

  void set(int first, int count, long start, @Nullable UnfinishedRequest owner) {
    this.first = first;
    this.count = count;
    this.start = start;
    this.owner = owner;
    this.lacksMemory = owner != null && owner.lacksMemory();
    this.likeBefore = false;
  }

  void setLikeBefore() {
    likeBefore = true;
  }

  /** The table will not grow any more. */
  void seal(ArgumentTable shared) {
    ArgumentTable table = owner == null ? shared : owner.arguments();
    entries = table.entry(first);
  }

  /** Bytes of a table for so many arguments, to be filled with {@link #note}. */
  public static long tableBytes(int arguments) {
    return (long) arguments * ArgumentTable.ENTRY_BYTES;
  }

  /** Notes in a table where argument {@code i} lies. */
  public static void note(long table, int i, long address, int length) {
    ArgumentTable.put(table + (long) i * ArgumentTable.ENTRY_BYTES, address, length);
  }

  /** Copies the entries of a table to another one. */
  public static void copyTable(long from, long to, int arguments) {
    NativeBytes.copy(from, to, tableBytes(arguments));
  }

  /** Makes this the request whose arguments the table names. None of them is takeable. */
  public void point(long table, int arguments) {
    count = arguments;
    entries = table;
    owner = null;
    lacksMemory = false;
    likeBefore = false;
  }

  /** Where the request begins in the inbound buffer, if it lies there as a whole. */
  long start() {
    return start;
  }

  private long entry(int i) {
    return entries + (long) i * ArgumentTable.ENTRY_BYTES;
  }

  /** Arguments, at least 1. */
  public int count() {
    return count;
  }

  /** Where argument {@code i} is, for {@code 0 <= i < count()}. */
  public long address(int i) {
    return ArgumentTable.address(entry(i));
  }

  /** Bytes of argument {@code i}. */
  public int length(int i) {
    return ArgumentTable.length(entry(i));
  }

  /** A copy of argument {@code i} on the heap. */
  public byte[] bytes(int i) {
    return NativeBytes.toArray(address(i), length(i));
  }

  /** A copy of argument {@code i}, each byte one char (ISO 8859-1). */
  public String text(int i) {
    return new String(bytes(i), StandardCharsets.ISO_8859_1);
  }

  /** Whether argument {@code i} lives in memory of its own, which a command can {@link #take}. */
  public boolean isTakeable(int i) {
    return ArgumentTable.memoryIndex(entry(i)) >= 0;
  }

  /**
   * Hands the memory of a large argument to the caller, who releases it. Its first {@code
   * length(i)} bytes (as told before) are the argument, the rest of its capacity is undefined. From
   * here on the argument reads as empty: whoever still looks at the request (a log of slow
   * commands) must not reach into memory that is someone else's.
   *
   * @throws IllegalStateException if it is not takeable or was taken before
   */
  public BulkMemory take(int i) {
    UnfinishedRequest request = owner;
    if (request == null || !isTakeable(i)) {
      throw new IllegalStateException("argument " + i + " has no memory of its own");
    }
    BulkMemory memory = request.take(ArgumentTable.memoryIndex(entry(i)));
    ArgumentTable.put(entry(i), address(i), 0);
    return memory;
  }

  /** Whether the name, argument 0, is the same as another's, byte for byte. */
  public boolean hasSameName(Request other) {
    return NativeBytes.areEqual(address(0), length(0), other.address(0), other.length(0));
  }

  /**
   * Whether it is known to be the same as the request before it in its batch but for the last
   * argument. False does not mean that it differs.
   */
  public boolean isLikeBefore() {
    return likeBefore;
  }

  /**
   * Whether memory for a large argument was refused. Its bytes were dropped as they came, and it
   * reads as empty; the only sensible answer is that there is no memory.
   */
  public boolean lacksMemory() {
    return lacksMemory;
  }

  /** Bytes that {@link #copyTo} needs: the arguments', and 16 for each. */
  public long byteCount() {
    long bytes = (long) count * ArgumentTable.ENTRY_BYTES;
    for (int i = 0; i < count; i++) {
      bytes += length(i);
    }
    return bytes;
  }

  /**
   * A request of its own over copies of all arguments. None of them is takeable.
   *
   * @param address of {@link #byteCount} bytes, in use as long as the copy is
   */
  public Request copyTo(long address) {
    long at = address + (long) count * ArgumentTable.ENTRY_BYTES;
    for (int i = 0; i < count; i++) {
      NativeBytes.copy(address(i), at, length(i));
      ArgumentTable.put(address + (long) i * ArgumentTable.ENTRY_BYTES, at, length(i));
      at += length(i);
    }
    Request copy = new Request();
    copy.count = count;
    copy.entries = address;
    return copy;
  }
}
