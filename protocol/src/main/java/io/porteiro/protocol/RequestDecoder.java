package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Cuts the bytes of one connection into requests. */
@SuppressWarnings("DoNotCallSuggester") // until filled in
public final class RequestDecoder implements AutoCloseable {
  public RequestDecoder(
      RequestLimits limits, ByteBufAllocator allocator, BulkMemory.Source bulkMemory) {}

  /** Without authentication requests are bounded closer, and decoded one at a time. */
  public void setAuthenticated(boolean authenticated) {
    throw new UnsupportedOperationException();
  }

  /** Takes (and later releases) what was read from the connection. */
  public void feed(ByteBuf in) {
    throw new UnsupportedOperationException();
  }

  /**
   * Decodes the next requests into the batch, replacing what was in it. Call it until it returns
   * false: then all that was fed is used up or kept for later.
   *
   * @return whether the batch holds a request or an error
   */
  public boolean decode(RequestBatch batch) {
    throw new UnsupportedOperationException();
  }

  /** Puts back the requests of the batch from this index on; they are decoded again later. */
  public void rewind(RequestBatch batch, int requestIndex) {
    throw new UnsupportedOperationException();
  }

  /** Bytes of memory held for what is not yet decoded or not yet used. */
  public long heldBytes() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
