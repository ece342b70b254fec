package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.store.Keyspace;

/**
 * Where SCAN goes on.
 *
 * <pre>
 *   |  cursor in the shard's table, reverse-binary  |  shard  |
 *    63                                            8 7       0
 * </pre>
 *
 * Any number is taken: clients may keep cursors for as long as they like, or invent them.
 */
record ScanCursor(int shard, long inTable) {
  private static final int SHARD_BITS = 8;
  private static final int MAX_TEXT_BYTES = 64;

  static final ScanCursor END = new ScanCursor(0, 0);

  /**
   * Reads an argument; zeros and a plus sign before the number are fine.
   *
   * @throws CommandException if it is no unsigned 64-bit number
   */
  static ScanCursor parse(CommandContext context, int index) {
    Request request = context.request();
    if (request.length(index) > MAX_TEXT_BYTES) {
      throw invalid();
    }
    try {
      return of(Long.parseUnsignedLong(request.text(index)));
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  private static CommandException invalid() {
    return new CommandException("ERR invalid cursor");
  }

  private static ScanCursor of(long number) {
    return new ScanCursor((int) number & (Keyspace.SHARDS - 1), number >>> SHARD_BITS);
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(inTable << SHARD_BITS | shard);
  }
}
