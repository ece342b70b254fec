package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;

/** What is left of a command after parsing: done under the locks of its scope. */
@FunctionalInterface
public interface Operation {
  /**
   * Does it and writes exactly one reply. Throws {@link CommandException} or {@link
   * io.porteiro.server.memory.MemoryLimitException} only before the first change.
   */
  void apply(CommandContext context, ReplyWriter reply);
}
