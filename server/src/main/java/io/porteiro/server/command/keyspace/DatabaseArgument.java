package io.porteiro.server.command.keyspace;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;

/** A database among the arguments: read as a 32-bit number, then looked up. */
final class DatabaseArgument {
  private static final String BEYOND_32_BITS =
      "ERR value is out of range, value must between "
          + Integer.MIN_VALUE
          + " and "
          + Integer.MAX_VALUE;

  private DatabaseArgument() {}

  /**
   * The next argument as a database that there is.
   *
   * @throws CommandException if it is none
   */
  static int nextDatabase(CommandContext context) {
    return check(context, nextNumber(context, Errors.NOT_AN_INTEGER, BEYOND_32_BITS));
  }

  /**
   * The next argument as a number, whether there is such a database or not.
   *
   * @throws CommandException with the error if it is no 32-bit number
   */
  static int nextNumber(CommandContext context, String error) {
    return nextNumber(context, error, error);
  }

  private static int nextNumber(CommandContext context, String notANumber, String beyond32Bits) {
    long number = context.arguments().nextLong(notANumber);
    if (number != (int) number) {
      throw new CommandException(beyond32Bits);
    }
    return (int) number;
  }

  /**
   * The number, if there is such a database.
   *
   * @throws CommandException if not
   */
  static int check(CommandContext context, int number) {
    if (number < 0 || number >= context.keyspace().databases()) {
      throw new CommandException(Errors.DATABASE_OUT_OF_RANGE);
    }
    return number;
  }
}
