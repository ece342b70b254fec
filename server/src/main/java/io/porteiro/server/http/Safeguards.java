package io.porteiro.server.http;

import java.util.Map;

/**
 * What every answer forbids the browser: nothing from elsewhere, no script but our own file, no
 * frame around it, nothing kept.
 */
final class Safeguards {
  static final Map<String, String> HEADERS =
      Map.of(
          "content-security-policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "x-content-type-options",
          "nosniff",
          "referrer-policy",
          "no-referrer",
          "cross-origin-resource-policy",
          "same-origin",
          "cache-control",
          "no-store");

  private Safeguards() {}
}
