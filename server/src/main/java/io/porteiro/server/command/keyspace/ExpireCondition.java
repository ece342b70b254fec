package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.store.Entry;

/**
 * Which expiry a key must have for EXPIRE to set another.
 *
 * @param nx none yet
 * @param xx any
 * @param gt an earlier one; none counts as infinitely late
 * @param lt a later one, or none
 */
record ExpireCondition(boolean nx, boolean xx, boolean gt, boolean lt) {
  private static final ExpireCondition NONE = new ExpireCondition(false, false, false, false);

  /**
   * Reads the remaining arguments.
   *
   * @throws CommandException for a word that is no option, and for options that exclude each other
   */
  static ExpireCondition parse(Arguments arguments) {
    ExpireCondition condition = NONE;
    while (arguments.hasNext()) {
      condition = condition.with(arguments);
    }
    condition.check();
    return condition;
  }

  private ExpireCondition with(Arguments arguments) {
    if (arguments.accept("NX")) {
      return new ExpireCondition(true, xx, gt, lt);
    }
    if (arguments.accept("XX")) {
      return new ExpireCondition(nx, true, gt, lt);
    }
    if (arguments.accept("GT")) {
      return new ExpireCondition(nx, xx, true, lt);
    }
    if (arguments.accept("LT")) {
      return new ExpireCondition(nx, xx, gt, true);
    }
    throw new CommandException("ERR Unsupported option " + arguments.toldAt(arguments.index()));
  }

  private void check() {
    if (nx && (xx || gt || lt)) {
      throw incompatible("NX and XX, GT or LT");
    }
    if (gt && lt) {
      throw incompatible("GT and LT");
    }
  }

  private static CommandException incompatible(String options) {
    return new CommandException("ERR " + options + " options at the same time are not compatible");
  }

  /** Whether the entry's expiry may become {@code atMs}. */
  boolean admits(Entry entry, long atMs) {
    if (!entry.hasExpiry()) {
      return !xx && !gt;
    }
    return !nx && (!gt || atMs > entry.expireAtMs()) && (!lt || atMs < entry.expireAtMs());
  }
}
