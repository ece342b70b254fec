package io.porteiro.server.command;

import io.porteiro.protocol.LastingBytes;
import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.memory.Block;

/**
 * A part of a value's block in a reply that has yet to be sent. Who changes the value meanwhile
 * works on a copy, as during a snapshot; who deletes it leaves the block to the reply.
 *
 * @param block held by this object
 */
public record BlockBytes(Block block, long offset, long length) implements LastingBytes {
  /** Shorter ones are copied at once: the copy costs less than what it takes to avoid it. */
  private static final long LASTING_FROM_BYTES = 1 << 20;

  /**
   * Answers a part of a block as a bulk string.
   *
   * @param block the caller holds it, or the lock of who does
   */
  public static void reply(Block block, long offset, long length, ReplyWriter reply) {
    if (length < LASTING_FROM_BYTES) {
      reply.bulk(block.address() + offset, length);
    } else {
      block.retain();
      reply.bulk(new BlockBytes(block, offset, length));
    }
  }

  @Override
  public long address() {
    return block.address() + offset;
  }

  @Override
  public void release() {
    block.release();
  }
}
