package io.porteiro.server.net.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Certificates from the files that directives name. */
final class Certificates {
  private static final Logger log = LoggerFactory.getLogger(Certificates.class);

  /** How OpenSSL names a certificate in a directory: by a hash of its subject. */
  private static final Pattern HASHED_NAME = Pattern.compile("[0-9a-f]{8}\\.[0-9]+");

  private Certificates() {}

  /**
   * The certificates of a file, at least one: the server's or client's first, then those that lead
   * to the authority.
   */
  static List<X509Certificate> of(PemFile file) throws TlsException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemBlock block : file.blocks()) {
      if (block.isCertificate()) {
        certificates.add(certificate(file, block));
      }
    }
    if (certificates.isEmpty()) {
      throw file.wrong("has no certificate");
    }
    return certificates;
  }

  private static X509Certificate certificate(PemFile file, PemBlock block) throws TlsException {
    InputStream der = new ByteArrayInputStream(block.content());
    try {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(der);
    } catch (CertificateException e) {
      throw file.wrong("has a malformed certificate: " + e.getMessage());
    }
  }

  /**
   * Whom to trust.
   *
   * @param file a directive's file, or none if its name is empty
   * @param directory a directory with links named as by {@code openssl rehash}, or empty; others in
   *     it are not trusted, as OpenSSL does not look at them
   */
  static Set<X509Certificate> authorities(PemFile file, PemFile directory) throws TlsException {
    Set<X509Certificate> authorities = new LinkedHashSet<>();
    if (!file.name().isEmpty()) {
      authorities.addAll(of(file));
    }
    if (!directory.name().isEmpty()) {
      addHashed(directory, authorities);
    }
    return authorities;
  }

  private static void addHashed(PemFile directory, Set<X509Certificate> authorities)
      throws TlsException {
    int before = authorities.size();
    for (Path path : hashed(directory)) {
      authorities.addAll(of(new PemFile(directory.directive(), path.toString())));
    }
    if (authorities.size() == before) {
      log.warn(
          "{} {} has no certificate under the hash of its subject: run openssl rehash",
          directory.directive(),
          directory.name());
    }
  }

  private static List<Path> hashed(PemFile directory) throws TlsException {
    try (Stream<Path> files = Files.list(Path.of(directory.name()))) {
      return files
          .filter(path -> HASHED_NAME.matcher(path.getFileName().toString()).matches())
          .sorted()
          .toList();
    } catch (IOException e) {
      throw directory.wrong("is no directory that can be read");
    }
  }
}
