package io.porteiro.server.command;

/** The first half of a command: looks at the arguments only, without any lock. */
@FunctionalInterface
public interface CommandParser {
  /**
   * Takes the arguments apart and checks them. Where Redis looks at the key before it complains
   * about an argument, the error is kept for the operation to report.
   *
   * @throws CommandException for arguments that are wrong
   */
  Operation parse(CommandContext context);
}
