package io.porteiro.server.command.connection;

import io.porteiro.server.command.CommandException;

/** What clients call themselves; CLIENT LIST shows it between blanks, so it may hold none. */
final class ClientNames {
  private ClientNames() {}

  /** A name for CLIENT SETNAME; the empty one takes the name away. */
  static String checked(String name) {
    if (!isPrintable(name)) {
      throw new CommandException(
          "ERR Client names cannot contain spaces, newlines or special characters.");
    }
    return name;
  }

  /** A value for CLIENT SETINFO. */
  static String checkedInfo(String attribute, String value) {
    if (!isPrintable(value)) {
      throw new CommandException(
          "ERR " + attribute + " cannot contain spaces, newlines or special characters.");
    }
    return value;
  }

  private static boolean isPrintable(String text) {
    return text.chars().allMatch(c -> c >= '!' && c <= '~');
  }
}
