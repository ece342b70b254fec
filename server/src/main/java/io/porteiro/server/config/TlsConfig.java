package io.porteiro.server.config;

import static io.porteiro.server.config.Directive.Trait.SENSITIVE;

import io.porteiro.server.config.NumberDirective.Notation;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The settings of encrypted connections. Texts are of the platform, not byte strings; paths start
 * from {@code dir}; not set is empty.
 */
public final class TlsConfig {
  private static final long INT_MAX = Integer.MAX_VALUE;

  private final Directives directives;
  private final Function<Directive<String>, String> path;

  private final Directive<Long> port;
  private final Directive<String> certFile;
  private final Directive<String> keyFile;
  private final Directive<String> keyFilePass;
  private final Directive<String> clientCertFile;
  private final Directive<String> clientKeyFile;
  private final Directive<String> clientKeyFilePass;
  private final Directive<String> caCertFile;
  private final Directive<String> caCertDir;
  private final Directive<String> authClients;
  private final Directive<String> protocols;
  private final Directive<String> ciphers;
  private final Directive<String> ciphersuites;
  private final Directive<Boolean> preferServerCiphers;
  private final Directive<Boolean> sessionCaching;
  private final Directive<Long> sessionCacheSize;
  private final Directive<Long> sessionCacheTimeout;
  private final Directive<Boolean> replication;
  private final Directive<Boolean> cluster;

  /**
   * @param path what a directive's value is as a path
   */
  TlsConfig(Directives directives, Function<Directive<String>, String> path) {
    this.directives = directives;
    this.path = path;
    port = integer("tls-port", 65_535, 0);
    certFile = text("tls-cert-file");
    keyFile = text("tls-key-file");
    keyFilePass = text("tls-key-file-pass").with(SENSITIVE);
    clientCertFile = text("tls-client-cert-file");
    clientKeyFile = text("tls-client-key-file");
    clientKeyFilePass = text("tls-client-key-file-pass").with(SENSITIVE);
    caCertFile = text("tls-ca-cert-file");
    caCertDir = text("tls-ca-cert-dir");
    authClients =
        directives.add(new ChoiceDirective("tls-auth-clients", "yes", "no", "yes", "optional"));
    protocols = text("tls-protocols");
    ciphers = text("tls-ciphers");
    ciphersuites = text("tls-ciphersuites");
    preferServerCiphers = yesNo("tls-prefer-server-ciphers", false);
    sessionCaching = yesNo("tls-session-caching", true);
    sessionCacheSize = integer("tls-session-cache-size", INT_MAX, 20_480);
    sessionCacheTimeout = integer("tls-session-cache-timeout", INT_MAX, 300);
    replication = yesNo("tls-replication", false);
    cluster = yesNo("tls-cluster", false);
  }

  private Directive<Long> integer(String name, long max, long defaultValue) {
    return directives.add(new NumberDirective(name, Notation.INTEGER, 0, max, defaultValue));
  }

  private Directive<Boolean> yesNo(String name, boolean defaultValue) {
    return directives.add(new YesNoDirective(name, defaultValue));
  }

  private Directive<String> text(String name) {
    return directives.add(new TextDirective(name, ""));
  }

  /** The directives whose change asks for new contexts: all but {@code tls-port}. */
  public List<String> contextDirectives() {
    return Stream.of(
            certFile,
            keyFile,
            keyFilePass,
            clientCertFile,
            clientKeyFile,
            clientKeyFilePass,
            caCertFile,
            caCertDir,
            authClients,
            protocols,
            ciphers,
            ciphersuites,
            preferServerCiphers,
            sessionCaching,
            sessionCacheSize,
            sessionCacheTimeout,
            replication,
            cluster)
        .map(Directive::name)
        .toList();
  }

  /** Whether anything is encrypted, so that the settings must be right. */
  public boolean isUsed() {
    return port() != 0 || replication.get() || cluster();
  }

  /** TCP port of encrypted connections; 0 is none. */
  public int port() {
    return Math.toIntExact(port.get());
  }

  public String certFile() {
    return path.apply(certFile);
  }

  public String keyFile() {
    return path.apply(keyFile);
  }

  public String keyFilePass() {
    return ByteText.toText(keyFilePass.get());
  }

  /** The certificate shown to other servers; not set: {@link #certFile}. */
  public String clientCertFile() {
    return path.apply(clientCertFile);
  }

  public String clientKeyFile() {
    return path.apply(clientKeyFile);
  }

  public String clientKeyFilePass() {
    return ByteText.toText(clientKeyFilePass.get());
  }

  public String caCertFile() {
    return path.apply(caCertFile);
  }

  public String caCertDir() {
    return path.apply(caCertDir);
  }

  /** {@code yes}: a client without a certificate is refused; {@code no}, {@code optional}. */
  public String authClients() {
    return authClients.get();
  }

  /** Whether the other side's certificate must be checked, and so certificates to check it by. */
  public boolean needsAuthorities() {
    return !authClients().equals("no") || replication.get() || cluster();
  }

  /** Names of protocols, blanks between them. */
  public String protocols() {
    return protocols.get();
  }

  /** An OpenSSL cipher list, for TLS 1.2. */
  public String ciphers() {
    return ciphers.get();
  }

  /** Names of suites, colons between them, for TLS 1.3. */
  public String ciphersuites() {
    return ciphersuites.get();
  }

  public boolean preferServerCiphers() {
    return preferServerCiphers.get();
  }

  public boolean sessionCaching() {
    return sessionCaching.get();
  }

  /** Sessions kept; 0 is any number. */
  public int sessionCacheSize() {
    return Math.toIntExact(sessionCacheSize.get());
  }

  /** Seconds for which a session may be resumed. */
  public int sessionCacheTimeout() {
    return Math.toIntExact(sessionCacheTimeout.get());
  }

  /** Whether MIGRATE encrypts. */
  public boolean cluster() {
    return cluster.get();
  }
}
