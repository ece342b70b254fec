package io.porteiro.server.access;

/** What can be wrong with a rule, in Redis's words. */
public enum RuleError {
  UNKNOWN_COMMAND("Unknown command or category name in ACL"),
  SYNTAX("Syntax error"),
  FIRST_ARGUMENT_OF_SUBCOMMAND("Allowing first-arg of a subcommand is not supported"),
  KEYS_AFTER_ALL(
      "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does not have"
          + " any effect. Try 'resetkeys' to start with an empty list of patterns"),
  CHANNELS_AFTER_ALL(
      "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and does not"
          + " have any effect. Try 'resetchannels' to start with an empty list of channels"),
  NO_SUCH_PASSWORD("The password you are trying to remove from the user does not exist"),
  BAD_HASH(
      "The password hash must be exactly 64 characters and contain only lowercase hexadecimal"
          + " characters");

  private final String text;

  RuleError(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}
