package io.porteiro.server.access;

/** The parenthesis of a selector is not closed. */
public final class OpenSelectorException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String start;

  OpenSelectorException(String start) {
    super("Unmatched parenthesis in selector definition.", null, false, false);
    this.start = start;
  }

  /** The word with the parenthesis. */
  public String start() {
    return start;
  }
}
