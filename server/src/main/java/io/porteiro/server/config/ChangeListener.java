package io.porteiro.server.config;

/** Is told that a setting has changed. */
@FunctionalInterface
public interface ChangeListener {
  /**
   * Takes the new value, which the accessors answer already.
   *
   * @throws ConfigException with the reason why it cannot be taken
   */
  void changed() throws ConfigException;
}
