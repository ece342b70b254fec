package io.porteiro.server.config;

import io.porteiro.server.config.NumberDirective.Notation;
import java.util.List;

/** The settings of the HTTP port: health, metrics, the page. */
public final class HttpConfig {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_KEYS = 100_000;

  private final Directive<Long> port;
  private final Directive<List<String>> bind;
  private final Directive<String> metricsKeyPattern;
  private final Directive<Long> metricsMaxKeys;

  HttpConfig(Directives directives) {
    port = directives.add(new NumberDirective("http-port", Notation.INTEGER, 0, MAX_PORT, 0));
    bind = directives.add(new WordsDirective("http-bind", Rules::bind, "127.0.0.1", "-::1"));
    metricsKeyPattern = directives.add(new TextDirective("metrics-key-pattern", "*"));
    metricsMaxKeys =
        directives.add(new NumberDirective("metrics-max-keys", Notation.INTEGER, 0, MAX_KEYS, 200));
  }

  /** TCP port; 0 is none. */
  public int port() {
    return Math.toIntExact(port.get());
  }

  /** Addresses, as for {@link ServerConfig#bind}; none is none. */
  public List<String> bind() {
    return bind.get();
  }

  /** Which filters get metrics of their own: a glob pattern over keys, each character one byte. */
  public String metricsKeyPattern() {
    return metricsKeyPattern.get();
  }

  /** How many filters get metrics of their own, 0 to 100,000. */
  public int metricsMaxKeys() {
    return Math.toIntExact(metricsMaxKeys.get());
  }
}
