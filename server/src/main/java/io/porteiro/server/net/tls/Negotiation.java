package io.porteiro.server.net.tls;

import io.porteiro.server.config.TlsConfig;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Which protocols and cipher suites are offered. */
record Negotiation(List<String> protocols, List<String> ciphers) {
  private static final List<String> DEFAULT_PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
  private static final List<String> KNOWN = List.of("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3");

  static Negotiation of(TlsConfig config) throws TlsException {
    SSLParameters platform = platform();
    List<String> available = List.of(platform.getCipherSuites());
    List<String> ciphers = new ArrayList<>(suites13(config, available));
    ciphers.addAll(suites12(config, available));
    return new Negotiation(protocols(config, List.of(platform.getProtocols())), ciphers);
  }

  private static SSLParameters platform() {
    try {
      return SSLContext.getDefault().getSupportedSSLParameters();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<String> protocols(TlsConfig config, List<String> supported)
      throws TlsException {
    if (config.protocols().isBlank()) {
      return DEFAULT_PROTOCOLS;
    }
    Set<String> protocols = new LinkedHashSet<>();
    for (String word : config.protocols().strip().split(" +", -1)) {
      protocols.add(known(word));
    }
    List<String> usable = protocols.stream().filter(supported::contains).toList();
    if (usable.stream().noneMatch(DEFAULT_PROTOCOLS::contains)) {
      throw new TlsException(
          "tls-protocols", config.protocols(), "this Java offers TLSv1.2 and TLSv1.3 only");
    }
    return usable;
  }

  private static String known(String word) throws TlsException {
    for (String protocol : KNOWN) {
      if (protocol.equalsIgnoreCase(word)) {
        return protocol;
      }
    }
    throw new TlsException(
        "Invalid tls-protocols specified. Use a combination of 'TLSv1', 'TLSv1.1', 'TLSv1.2' and"
            + " 'TLSv1.3'.");
  }

  private static List<String> suites12(TlsConfig config, List<String> available)
      throws TlsException {
    String list = config.ciphers().isEmpty() ? "DEFAULT" : config.ciphers();
    List<String> selected = CipherList.select(list, available);
    if (selected.isEmpty()) {
      throw new TlsException("Failed to configure ciphers: tls-ciphers " + list);
    }
    return selected;
  }

  private static List<String> suites13(TlsConfig config, List<String> available)
      throws TlsException {
    List<String> all = available.stream().filter(Negotiation::is13).toList();
    if (config.ciphersuites().isEmpty()) {
      return all;
    }
    List<String> wanted = List.of(config.ciphersuites().split(":"));
    List<String> selected = wanted.stream().filter(all::contains).toList();
    if (selected.isEmpty()) {
      throw new TlsException(
          "Failed to configure ciphersuites: tls-ciphersuites " + config.ciphersuites());
    }
    return selected;
  }

  private static boolean is13(String suite) {
    return suite.startsWith("TLS_AES_") || suite.startsWith("TLS_CHACHA20_");
  }
}
