package io.porteiro.server.command.string;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.store.Entry;
import org.jspecify.annotations.Nullable;

/** What may follow SET key value, in any order. */
final class SetOptions {
  /** Which keys are set. */
  enum Condition {
    NONE,
    NX,
    XX;

    boolean admits(@Nullable Entry entry) {
      return this == NONE || (entry == null) == (this == NX);
    }
  }

  /** SET key value. */
  static final SetOptions PLAIN = new SetOptions();

  private Condition condition = Condition.NONE;
  private boolean get;
  private boolean keepTtl;
  private @Nullable ExpiryOption expiry;
  private int expiryIndex;
  private long expireAtMs = Entry.NO_EXPIRY;

  private SetOptions() {}

  /**
   * Reads the rest of the arguments.
   *
   * @throws CommandException for unknown or contradicting options, or a time that is none
   */
  static SetOptions parse(Arguments arguments, long nowMs) {
    if (!arguments.hasNext()) {
      return PLAIN;
    }
    SetOptions options = new SetOptions();
    while (arguments.hasNext()) {
      options.parseNext(arguments);
    }
    options.readTime(arguments, nowMs, "set");
    return options;
  }

  /** Those of SETEX and PSETEX: the time is argument 2. */
  static SetOptions expiring(Arguments arguments, ExpiryOption unit, long nowMs, String command) {
    SetOptions options = new SetOptions();
    options.expiry = unit;
    options.expiryIndex = 2;
    options.readTime(arguments, nowMs, command);
    return options;
  }

  private void parseNext(Arguments arguments) {
    if (arguments.accept("NX")) {
      condition(Condition.NX);
    } else if (arguments.accept("XX")) {
      condition(Condition.XX);
    } else if (arguments.accept("GET")) {
      get = true;
    } else if (arguments.accept("KEEPTTL")) {
      require(expiry == null);
      keepTtl = true;
    } else {
      parseExpiry(arguments);
    }
  }

  private void condition(Condition newCondition) {
    require(condition == Condition.NONE || condition == newCondition);
    condition = newCondition;
  }

  private void parseExpiry(Arguments arguments) {
    ExpiryOption option = ExpiryOption.accept(arguments);
    require(option != null && !keepTtl && (expiry == null || expiry == option));
    expiry = option;
    expiryIndex = arguments.skip();
  }

  private static void require(boolean allowed) {
    if (!allowed) {
      throw Errors.syntax();
    }
  }

  private void readTime(Arguments arguments, long nowMs, String command) {
    if (expiry != null) {
      expireAtMs = expiry.expireAtMs(arguments, expiryIndex, nowMs, command);
    }
  }

  Condition condition() {
    return condition;
  }

  /** Whether the old value is the answer. */
  boolean isGet() {
    return get;
  }

  boolean isKeepTtl() {
    return keepTtl;
  }

  /** Unix milliseconds, or {@link Entry#NO_EXPIRY}. */
  long expireAtMs() {
    return expireAtMs;
  }

  boolean hasExpiry() {
    return expiry != null;
  }
}
