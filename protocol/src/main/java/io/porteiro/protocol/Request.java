package io.porteiro.protocol;

/**
 * One request: its arguments (the command's name is the first) as addresses of contiguous off-heap
 * bytes. Valid until its batch is decoded into again, or its decoder is fed, rewound or closed.
 */
@SuppressWarnings("DoNotCallSuggester") // until filled in
public final class Request {
  /** Arguments, at least 1. */
  public int count() {
    throw new UnsupportedOperationException();
  }

  /** Where argument {@code i} is, for {@code 0 <= i < count()}. */
  public long address(int i) {
    throw new UnsupportedOperationException();
  }

  /** Bytes of argument {@code i}. */
  public int length(int i) {
    throw new UnsupportedOperationException();
  }

  /** A copy of argument {@code i} on the heap. */
  public byte[] bytes(int i) {
    throw new UnsupportedOperationException();
  }

  /** A copy of argument {@code i}, each byte one char (ISO 8859-1). */
  public String text(int i) {
    throw new UnsupportedOperationException();
  }

  /** Whether argument {@code i} lives in memory of its own, which a command can {@link #take}. */
  public boolean isTakeable(int i) {
    throw new UnsupportedOperationException();
  }

  /**
   * Hands the memory of a large argument to the caller, who releases it. Its first {@code
   * length(i)} bytes are the argument, the rest of its capacity is undefined. The argument stays
   * readable as long as the caller keeps the memory where it is.
   */
  public BulkMemory take(int i) {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether memory for a large argument was refused. Its bytes were dropped as they came; the only
   * sensible answer is that there is no memory.
   */
  public boolean lacksMemory() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of all arguments. */
  public long byteCount() {
    throw new UnsupportedOperationException();
  }

  /** A request of its own over a copy of all arguments, one behind the other, at this address. */
  public Request copyTo(long address) {
    throw new UnsupportedOperationException();
  }
}
