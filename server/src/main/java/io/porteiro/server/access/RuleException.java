package io.porteiro.server.access;

/** A rule that cannot be applied. Without a stack trace: clients provoke it at will. */
public final class RuleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RuleError error;
  private final String rule;

  RuleException(RuleError error, String rule) {
    super(error.text(), null, false, false);
    this.error = error;
    this.rule = rule;
  }

  public RuleError error() {
    return error;
  }

  /** The rule as it was given. */
  public String rule() {
    return rule;
  }
}
