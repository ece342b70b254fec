package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
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
  /**
   * Whether requests of so many arguments can be tried so; otherwise they go the way of all
   * commands.
   */
  default boolean accepts(int arguments) {
    return true;
  }

  /** Without any lock: appends the hashes of the request's items. Any items will do. */
  void hash(Request request, HashList hashes);

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
   * Under the read lock: answers the first of some commands of this kind, as {@link #answer} would
   * one by one, as long as nothing has to change for them and there are no errors. Where this is
   * not quicker than one by one, it answers none.
   *
   * @param entry of the key, or null
   * @param first number of the first command in the list of hashes
   * @param end number behind the last
   * @return the number of the first that was not answered
   */
  default int answerSeries(
      @Nullable Entry entry, HashList hashes, int first, int end, ReplyWriter reply) {
    return first;
  }

  /**
   * Under the write lock: whether {@link #applySeries} may be asked to do so many commands of this
   * kind: none of them can fail, and together they are quicker than one by one.
   */
  default boolean takesSeries(CommandContext context, int commands) {
    return false;
  }

  /**
   * Under the write lock: does some commands of this kind, as {@link #apply} would one by one, but
   * neither reports nor answers: {@link #reportChanges} follows, then {@link ReplyWriter#bools}.
   *
   * @param first number of the first command in the list of hashes
   * @param end number behind the last
   * @return bit i is set if command {@code first + i} changed something, which is its answer
   */
  default long applySeries(CommandContext context, HashList hashes, int first, int end) {
    throw new IllegalStateException("takes no series");
  }

  /**
   * Under the write lock: reports changes that a series made. Where the journal or subscribers hear
   * of each, it is called for each with its command as the context's; otherwise once for all.
   *
   * @param count how many
   */
  default void reportChanges(CommandContext context, int count) {
    throw new IllegalStateException("takes no series");
  }

  /**
   * Under the write lock, knowing nothing of what was seen before: does the whole command and
   * replies.
   */
  void apply(CommandContext context, HashList hashes, int from, int to, ReplyWriter reply);
}
