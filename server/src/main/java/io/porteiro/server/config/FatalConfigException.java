package io.porteiro.server.config;

/** Settings that the server cannot start with. The message is what to print to standard error. */
public final class FatalConfigException extends Exception {
  FatalConfigException(String message) {
    super(message, null, false, false);
  }

  /** Settings that do not go together, or files that they name. */
  public static FatalConfigException because(String reason) {
    return new FatalConfigException(block(reason));
  }

  static FatalConfigException atLine(ConfigSource source, int index, ConfigException reason) {
    return new FatalConfigException(
        block(
            source.place(index)
                + "\n>>> '"
                + source.lines().get(index).strip()
                + "'\n"
                + reason.getMessage()));
  }

  private static String block(String text) {
    return "\n*** FATAL CONFIG FILE ERROR (Porteiro "
        + ServerVersion.PORTEIRO
        + ") ***\n"
        + text
        + "\n";
  }
}
