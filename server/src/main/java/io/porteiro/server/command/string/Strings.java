package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.ArgumentMemory;
import io.porteiro.server.command.BlockBytes;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Errors;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

/** The string under a key, made of an argument, answered, noted for the journal. */
final class Strings {
  static final KeyspaceEvent SET = KeyspaceEvent.string("set");

  private Strings() {}

  /**
   * The string of an entry.
   *
   * @throws CommandException if it holds something else
   */
  static StringValue of(Entry entry) {
    if (entry.value() instanceof StringValue value) {
      return value;
    }
    throw Errors.wrongType();
  }

  /** As {@link #of}; null for no entry. */
  static @Nullable StringValue ofOrNull(@Nullable Entry entry) {
    return entry == null ? null : of(entry);
  }

  /** Refuses a string of {@code length} bytes, which may have overflowed, if that is too long. */
  static void requireAllowedLength(CommandContext context, long length) {
    if (length < 0 || length > context.config().protoMaxBulkLen()) {
      throw new CommandException("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    }
  }

  /**
   * A string of an argument: a large one's own memory becomes the string's, and the argument reads
   * as empty from then on.
   *
   * @throws MemoryLimitException if there is no room
   */
  static StringValue fromArgument(CommandContext context, int index) {
    MemoryPool pool = context.keyspace().pool();
    Request request = context.request();
    int length = request.length(index);
    if (request.isTakeable(index) && request.take(index) instanceof ArgumentMemory memory) {
      return adopt(pool, memory, length);
    }
    return StringValue.copyOf(pool, request.address(index), length);
  }

  private static StringValue adopt(MemoryPool pool, ArgumentMemory memory, int length) {
    Block block = memory.block();
    try {
      return StringValue.adopt(pool, block, length);
    } catch (MemoryLimitException e) {
      block.release();
      throw e;
    }
  }

  /** Answers the bytes of a string. */
  static void reply(StringValue value, ReplyWriter reply) {
    if (value.isNumber()) {
      reply.bulk(Long.toString(value.number()));
    } else {
      BlockBytes.reply(value.block(), 0, value.length(), reply);
    }
  }

  static void replyOrNull(@Nullable StringValue value, ReplyWriter reply) {
    if (value == null) {
      reply.nullBulk();
    } else {
      reply(value, reply);
    }
  }

  /**
   * Adds the value made of argument {@code index} to an effect. Outside of EXEC the value's own
   * bytes, because the argument may have become the value; in EXEC the argument, because the value
   * may change again before the effects are written.
   */
  static Effects.Effect note(
      Effects.Effect effect, CommandContext context, int index, StringValue value) {
    if (context.isInTransaction()) {
      return effect.argument(context.request(), index);
    }
    return value.isNumber()
        ? effect.number(value.number())
        : effect.memory(value.address(), Math.toIntExact(value.length()));
  }
}
