package io.porteiro.server.command.string;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import org.jspecify.annotations.Nullable;

/** How SET and GETEX can be told a time: from now on or absolute, in seconds or milliseconds. */
enum ExpiryOption {
  EX(1000, true),
  PX(1, true),
  EXAT(1000, false),
  PXAT(1, false);

  private final long unitMs;
  private final boolean relative;

  ExpiryOption(long unitMs, boolean relative) {
    this.unitMs = unitMs;
    this.relative = relative;
  }

  /** The option that comes next, which is passed over; null if it is none of these. */
  static @Nullable ExpiryOption accept(Arguments arguments) {
    for (ExpiryOption option : values()) {
      if (arguments.accept(option.name())) {
        return option;
      }
    }
    return null;
  }

  boolean isRelative() {
    return relative;
  }

  /**
   * The time that argument {@code index} means, in Unix milliseconds.
   *
   * @param command in lower case, for the error
   * @throws CommandException if it is no integer, not positive, or beyond what 64 bits hold
   */
  long expireAtMs(Arguments arguments, int index, long nowMs, String command) {
    long time = arguments.longAt(index, Errors.NOT_AN_INTEGER);
    if (time <= 0 || time > Long.MAX_VALUE / unitMs) {
      throw invalid(command);
    }
    long timeMs = time * unitMs;
    if (relative && timeMs > Long.MAX_VALUE - nowMs) {
      throw invalid(command);
    }
    return relative ? nowMs + timeMs : timeMs;
  }

  private static CommandException invalid(String command) {
    return new CommandException("ERR invalid expire time in '" + command + "' command");
  }
}
