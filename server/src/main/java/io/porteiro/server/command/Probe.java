package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.Value;
import org.jspecify.annotations.Nullable;

/**
 * A command that looks items up in one key (always its first argument), or adds them.
 *
 * <p>Such commands are tried under the read lock first: most adds of a gatekeeper or a visitor
 * counter are of items already there and change nothing, so that one hot key is served by all
 * cores. Consecutive ones on the same key make a run: all hashed, locked once, touched, then
 * answered in order.
 */
public interface Probe {
  /** Whether this request can be tried so; otherwise it goes the way of all commands. */
  default boolean accepts(CommandContext context) {
    return true;
  }

  /**
   * Without any lock: appends the hashes of the request's items.
   *
   * @throws CommandException for arguments that are wrong; what was appended is then ignored
   */
  void hash(CommandContext context, HashList hashes);

  /**
   * Under the read lock: makes the memory that {@link #answer} will read be fetched, where that
   * pays.
   */
  default void touch(Value value, HashList hashes, int from, int to) {}

  /**
   * Under the read lock: answers the request if nothing has to change for it.
   *
   * @param entry of the key, or null
   * @return false, and nothing written, if something has to change; then {@link #apply} follows
   * @throws CommandException instead of an answer
   */
  boolean answer(
      CommandContext context,
      @Nullable Entry entry,
      HashList hashes,
      int from,
      int to,
      ReplyWriter reply);

  /**
   * Under the write lock, knowing nothing of what was seen before: does the whole command and
   * replies.
   */
  void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply);
}
