package io.porteiro.protocol;

import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one pass over what was read, at most {@link #MAX_REQUESTS}. One per event loop,
 * used again for every connection: it holds nothing between two reads.
 */
@SuppressWarnings("DoNotCallSuggester") // until filled in
public final class RequestBatch implements AutoCloseable {
  public static final int MAX_REQUESTS = 64;

  public RequestBatch(ByteBufAllocator allocator) {}

  public int size() {
    throw new UnsupportedOperationException();
  }

  /** Request {@code i}, for {@code 0 <= i < size()}. */
  public Request get(int i) {
    throw new UnsupportedOperationException();
  }

  /** What comes after the requests of this batch: an error and the end, or null. */
  public @Nullable ProtocolError error() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
