package io.porteiro.server.command;

/** Errors that several command families answer, in Redis's words. */
public final class Errors {
  public static final String WRONG_TYPE =
      "WRONGTYPE Operation against a key holding the wrong kind of value";
  public static final String SYNTAX = "ERR syntax error";
  public static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
  public static final String NOT_A_FLOAT = "ERR value is not a valid float";
  public static final String OUT_OF_RANGE = "ERR value is out of range";
  public static final String NO_SUCH_KEY = "ERR no such key";
  public static final String DATABASE_OUT_OF_RANGE = "ERR DB index is out of range";
  public static final String OUT_OF_MEMORY =
      "OOM command not allowed when used memory > 'maxmemory'.";
  public static final String NO_AUTH = "NOAUTH Authentication required.";
  public static final String LOADING = "LOADING Redis is loading the dataset in memory";
  public static final String INTERNAL = "ERR internal error";

  private Errors() {}

  public static CommandException wrongType() {
    return new CommandException(WRONG_TYPE);
  }

  public static CommandException syntax() {
    return new CommandException(SYNTAX);
  }

  public static CommandException notAnInteger() {
    return new CommandException(NOT_AN_INTEGER);
  }

  public static CommandException noSuchKey() {
    return new CommandException(NO_SUCH_KEY);
  }

  /**
   * The error for a wrong number of arguments.
   *
   * @param name in lower case; of a subcommand {@code config|get}
   */
  public static CommandException wrongArity(String name) {
    return new CommandException("ERR wrong number of arguments for '" + name + "' command");
  }
}
