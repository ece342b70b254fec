package io.porteiro.server.config;

/** The versions that the server reports. */
public final class ServerVersion {
  /**
   * The Redis whose commands and answers these are; client libraries look at it to decide what they
   * may send. Bloom commands are part of Redis from 8.0, but so is much that is not here.
   */
  public static final String REDIS = "7.4.0";

  /** The Bloom module whose answers these are, in its own notation: 2.8.20. */
  public static final int BLOOM_MODULE = 20820;

  /** Ours, from the jar's manifest. */
  public static final String PORTEIRO = ours();

  private ServerVersion() {}

  private static String ours() {
    String version = ServerVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
