package io.porteiro.server.command.bloom;

import io.porteiro.server.command.Arguments;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Error rates as the Bloom module reads them: decimal notation with an optional exponent, no
 * blanks, no hexadecimal. Infinity is a number (out of every range), "nan" is not.
 */
final class ErrorRate {
  /** The longest decimal notation of a double has 1077 characters; more says nothing more. */
  private static final int MAX_LENGTH = 2048;

  /** Possessive, so that no text takes more than one pass. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:\\d++(?:\\.\\d*+)?+|\\.\\d++)(?:[eE][+-]?\\d++)?+");

  private static final Pattern INFINITY =
      Pattern.compile("[+-]?inf(?:inity)?", Pattern.CASE_INSENSITIVE);

  private ErrorRate() {}

  /** Argument {@code index} as a number of any size, or null if it is none. */
  static @Nullable Double parse(Arguments arguments, int index) {
    return arguments.lengthAt(index) > MAX_LENGTH ? null : parse(arguments.textAt(index));
  }

  static @Nullable Double parse(String text) {
    if (DECIMAL.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    return INFINITY.matcher(text).matches() ? Double.POSITIVE_INFINITY : null;
  }

  /** Whether a filter can have the rate: between 0 and 1, both excluded. */
  static boolean isPossible(double rate) {
    return rate > 0 && rate < 1;
  }
}
