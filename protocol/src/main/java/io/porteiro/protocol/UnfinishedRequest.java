package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that came in more than one read, or has a large argument: what must survive between
 * reads. Its first {@code settled} arguments lie in pieces and large memory of its own and stay
 * where they are; the others lie in the inbound buffer and move with it.
 */
final class UnfinishedRequest {
  private final ArgumentTable arguments;
  private final List<ByteBuf> pieces = new ArrayList<>();
  private final List<LargeArgument> large = new ArrayList<>();
  private long pieceBytes;
  private int settled;

  UnfinishedRequest(ByteBufAllocator allocator) {
    this.arguments = new ArgumentTable(allocator);
  }

  ArgumentTable arguments() {
    return arguments;
  }

  /** Where the arguments that are not settled lie has moved. */
  void shift(long distance) {
    if (distance != 0) {
      arguments.shift(settled, distance);
    }
  }

  boolean isSettled() {
    return settled == arguments.count();
  }

  /** All arguments so far lie in this piece or are settled already. */
  void settle(ByteBuf piece) {
    pieces.add(piece);
    pieceBytes += piece.capacity();
    settled = arguments.count();
  }

  void begin(LargeArgument argument) {
    large.add(argument);
  }

  LargeArgument lastLarge() {
    return large.getLast();
  }

  /** The last large argument is complete. */
  void endLarge() {
    LargeArgument argument = large.getLast();
    BulkMemory memory = argument.memory();
    if (memory == null) {
      arguments.add(0, 0);
    } else {
      arguments.addLarge(memory.address(), argument.length(), large.size() - 1);
    }
    settled = arguments.count();
  }

  BulkMemory take(int memoryIndex) {
    return large.get(memoryIndex).take();
  }

  boolean lacksMemory() {
    return large.stream().anyMatch(LargeArgument::isRefused);
  }

  /** Bytes of memory held, without the large arguments, which the server counts itself. */
  long heldBytes() {
    return pieceBytes + arguments.heldBytes();
  }

  long largeBytes() {
    return large.stream().mapToLong(LargeArgument::heldBytes).sum();
  }

  void release() {
    pieces.forEach(ByteBuf::release);
    pieces.clear();
    large.forEach(LargeArgument::release);
    large.clear();
    arguments.release();
    pieceBytes = 0;
    settled = 0;
  }
}
