package io.porteiro.server.net.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.porteiro.server.config.TlsConfig;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * What new encrypted connections are made with: contexts of the settings that were last found good.
 * Connections keep the context with which they began.
 */
public final class TlsContexts {
  /** A client that takes longer is closed: it may be one that only wants to hold a place. */
  private static final long HANDSHAKE_TIMEOUT_MS = 10_000;

  /** How long the end of the stream may take to be sent. */
  private static final long CLOSE_TIMEOUT_MS = 1000;

  private static final long IDLE_THREAD_SECONDS = 10;

  static {
    // A client could have us do the costly half of a handshake again and again. Read by the JDK's
    // TLS when it is first used.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  private final TlsConfig config;
  private final Executor handshakes;
  private volatile @Nullable Contexts contexts;

  private record Contexts(SslContext server, SslContext client, boolean preferServerCiphers) {}

  /**
   * @param threads how many handshakes may be calculated at a time; not on the event loops, where a
   *     signature would hold up all other connections for milliseconds
   */
  public TlsContexts(TlsConfig config, int threads) {
    this.config = config;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("tls-", 0).factory());
    pool.allowCoreThreadTimeOut(true);
    handshakes = pool;
  }

  /**
   * Reads the files and makes contexts of the settings now in force. Where that fails, the old ones
   * stay.
   *
   * @throws IOException with the directive, its value and the reason
   */
  public void load() throws IOException {
    require(config.certFile(), "No tls-cert-file configured!");
    require(config.keyFile(), "No tls-key-file configured!");
    if (config.needsAuthorities()) {
      require(
          config.caCertFile() + config.caCertDir(),
          "Either tls-ca-cert-file or tls-ca-cert-dir must be specified when tls-cluster,"
              + " tls-replication or tls-auth-clients are enabled!");
    }
    Negotiation negotiation = Negotiation.of(config);
    Identity server = identity("tls-", config.certFile(), config.keyFile(), config.keyFilePass());
    X509Certificate[] authorities = authorities();
    contexts =
        new Contexts(
            serverContext(server, authorities, negotiation),
            clientContext(clientIdentity(server), authorities, negotiation),
            config.preferServerCiphers());
  }

  private static void require(String setting, String error) throws TlsException {
    if (setting.isEmpty()) {
      throw new TlsException(error);
    }
  }

  private static Identity identity(String prefix, String certificates, String key, String password)
      throws TlsException {
    return Identity.read(
        new PemFile(prefix + "cert-file", certificates),
        new PemFile(prefix + "key-file", key),
        password);
  }

  /** What we show to other servers. */
  private Identity clientIdentity(Identity server) throws TlsException {
    if (config.clientCertFile().isEmpty()) {
      return server;
    }
    require(config.clientKeyFile(), "No tls-client-key-file configured!");
    return identity(
        "tls-client-", config.clientCertFile(), config.clientKeyFile(), config.clientKeyFilePass());
  }

  private X509Certificate[] authorities() throws TlsException {
    Set<X509Certificate> authorities =
        Certificates.authorities(
            new PemFile("tls-ca-cert-file", config.caCertFile()),
            new PemFile("tls-ca-cert-dir", config.caCertDir()));
    return authorities.toArray(new X509Certificate[0]);
  }

  private SslContext serverContext(
      Identity identity, X509Certificate[] authorities, Negotiation negotiation)
      throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forServer(identity.key(), identity.chainArray()).clientAuth(clientAuth());
    SslContext context = build(builder, authorities, negotiation);
    limitSessions(context);
    return context;
  }

  private static SslContext clientContext(
      Identity identity, X509Certificate[] authorities, Negotiation negotiation)
      throws IOException {
    SslContextBuilder builder =
        SslContextBuilder.forClient()
            .keyManager(identity.key(), identity.chainArray())
            .endpointIdentificationAlgorithm(null);
    return build(builder, authorities, negotiation);
  }

  private static SslContext build(
      SslContextBuilder builder, X509Certificate[] authorities, Negotiation negotiation)
      throws IOException {
    try {
      return builder
          .sslProvider(SslProvider.JDK)
          .trustManager(authorities)
          .protocols(negotiation.protocols())
          .ciphers(negotiation.ciphers())
          .build();
    } catch (SSLException e) {
      throw new IOException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  private ClientAuth clientAuth() {
    return switch (config.authClients()) {
      case "no" -> ClientAuth.NONE;
      case "optional" -> ClientAuth.OPTIONAL;
      default -> ClientAuth.REQUIRE;
    };
  }

  /** Without caching a session lasts for the shortest time there is: the JDK knows no switch. */
  private void limitSessions(SslContext context) {
    boolean caching = config.sessionCaching();
    context.sessionContext().setSessionCacheSize(caching ? config.sessionCacheSize() : 1);
    context.sessionContext().setSessionTimeout(caching ? config.sessionCacheTimeout() : 1);
  }

  private Contexts contexts() {
    Contexts now = contexts;
    if (now == null) {
      throw new IllegalStateException("TLS is not configured");
    }
    return now;
  }

  /** What encrypts a connection that was accepted; its handshake is limited in time. */
  public SslHandler serverHandler(ByteBufAllocator allocator) {
    Contexts now = contexts();
    SslHandler handler = now.server.newHandler(allocator, handshakes);
    preferServerCiphers(handler.engine(), now.preferServerCiphers);
    handler.setHandshakeTimeoutMillis(HANDSHAKE_TIMEOUT_MS);
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_TIMEOUT_MS);
    return handler;
  }

  private static void preferServerCiphers(SSLEngine engine, boolean prefer) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setUseCipherSuitesOrder(prefer);
    engine.setSSLParameters(parameters);
  }

  /** Encrypts connections to other servers, whose certificates are checked, but not their names. */
  public SSLSocketFactory clientSockets() {
    return ((JdkSslContext) contexts().client).context().getSocketFactory();
  }
}
