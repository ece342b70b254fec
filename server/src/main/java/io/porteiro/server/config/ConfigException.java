package io.porteiro.server.config;

/** A setting that cannot be taken. The message is Redis's words for the reason, without a code. */
public final class ConfigException extends Exception {
  public ConfigException(String reason) {
    super(reason, null, false, false);
  }
}
