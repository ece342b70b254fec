package io.porteiro.server.net.tls;

import java.io.IOException;

/**
 * Settings of TLS that cannot be used. The message names the directive, the file and the reason.
 */
final class TlsException extends IOException {
  private static final long serialVersionUID = 1L;

  TlsException(String message) {
    super(message);
  }

  TlsException(String directive, String value, String reason) {
    this(directive + " " + value + ": " + reason);
  }
}
