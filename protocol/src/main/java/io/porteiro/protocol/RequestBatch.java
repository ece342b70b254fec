package io.porteiro.protocol;

import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one pass over what was read, at most {@link #MAX_REQUESTS}. One per event loop,
 * used again for every connection: it holds nothing between two reads.
 */
public final class RequestBatch implements AutoCloseable {
  public static final int MAX_REQUESTS = 64;

  private final Request[] requests = new Request[MAX_REQUESTS];
  private final ArgumentTable arguments;
  private final InlineArguments inline;
  private int size;
  private @Nullable ProtocolError error;

  public RequestBatch(ByteBufAllocator allocator) {
    arguments = new ArgumentTable(allocator);
    inline = new InlineArguments(allocator);
    for (int i = 0; i < MAX_REQUESTS; i++) {
      requests[i] = new Request();
    }
  }

  public int size() {
    return size;
  }

  /** Request {@code i}, for {@code 0 <= i < size()}. */
  public Request get(int i) {
    if (i >= size) {
      throw new IndexOutOfBoundsException(i);
    }
    return requests[i];
  }

  /** What comes after the requests of this batch: an error and the end, or null. */
  public @Nullable ProtocolError error() {
    return error;
  }

  ArgumentTable arguments() {
    return arguments;
  }

  InlineArguments inline() {
    return inline;
  }

  void begin() {
    size = 0;
    error = null;
    arguments.truncate(0);
    inline.reset();
  }

  boolean isFull(boolean authenticated) {
    return size == (authenticated ? MAX_REQUESTS : 1);
  }

  /** Adds a request whose arguments are the last ones of the shared table. */
  void add(int firstArgument, long start) {
    requests[size++].set(firstArgument, arguments.count() - firstArgument, start, null);
  }

  /** As {@link #add(int, long)}, one that {@link Request#isLikeBefore}. */
  void addAlike(int firstArgument, long start) {
    add(firstArgument, start);
    requests[size - 1].setLikeBefore();
  }

  /** Adds a request that has a table of its own. */
  void add(UnfinishedRequest request) {
    requests[size++].set(0, request.arguments().count(), 0, request);
  }

  void end(@Nullable ProtocolError error) {
    this.error = error;
    for (int i = 0; i < size; i++) {
      requests[i].seal(arguments);
    }
  }

  @Override
  public void close() {
    size = 0;
    arguments.release();
    inline.release();
  }
}
