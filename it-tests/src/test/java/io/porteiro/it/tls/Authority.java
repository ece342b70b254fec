package io.porteiro.it.tls;

import io.porteiro.it.process.RedisProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Somebody who signs certificates, by the openssl of the machine, in a directory of its own. */
public final class Authority {
  private static final String PASSWORD = "secret";

  private final Path directory;

  /**
   * @param directory may exist; its files ca.crt and ca.key are made
   */
  public Authority(Path directory) {
    this.directory = directory;
    createDirectory(directory);
    openssl("req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 30 -subj /CN=CA");
  }

  private static void createDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A certificate and its key, in files. */
  public record Issued(Path certificate, Path key) {}

  /** Valid for a month, for localhost; the key is RSA. */
  public Issued issue(String name) {
    openssl("genrsa -out %s.key 2048".formatted(name));
    return sign(name, 30);
  }

  /** One that ended yesterday. */
  public Issued issueExpired(String name) {
    openssl("genrsa -out %s.key 2048".formatted(name));
    return sign(name, -1);
  }

  /** For a key that was made as {@code NAME.key}, unencrypted or with the password "secret". */
  public Issued sign(String name, int days) {
    openssl(
        "req -new -key %s.key -passin pass:%s -out %s.csr -subj /CN=%s"
            .formatted(name, PASSWORD, name, name));
    write(name + ".ext", "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
    openssl(
        "x509 -req -in %s.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days %d -out %s.crt -extfile %s.ext"
            .formatted(name, days, name, name));
    return new Issued(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
  }

  private void write(String file, String text) {
    try {
      Files.writeString(directory.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs openssl in the directory; it must succeed. */
  public void openssl(String arguments) {
    RedisProcess.Output output = RedisProcess.run(directory, ("openssl " + arguments).split(" "));
    if (output.exitCode() != 0) {
      throw new IllegalStateException("openssl " + arguments + ":\n" + output.text());
    }
  }

  public Path certificate() {
    return directory.resolve("ca.crt");
  }

  public Path directory() {
    return directory;
  }

  /** A client's side: trusts this authority, and shows a certificate if it has one. */
  public SSLContext client(@Nullable Issued identity) {
    try {
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(identity == null ? null : keys(identity), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyStore trusted() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(certificate())) {
      store.setCertificateEntry(
          "ca", java.security.cert.CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    return store;
  }

  private KeyManager[] keys(Issued identity) throws GeneralSecurityException, IOException {
    openssl(
        "pkcs12 -export -in %s -inkey %s -out identity.p12 -passout pass:%s"
            .formatted(identity.certificate, identity.key, PASSWORD));
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(directory.resolve("identity.p12"))) {
      store.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, PASSWORD.toCharArray());
    return keys.getKeyManagers();
  }
}
