package io.porteiro.server.net.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;

/** What one side shows and proves: certificates, and the key of the first one. */
record Identity(PrivateKey key, List<X509Certificate> chain) {
  private static final byte[] SIGNED = {1, 2, 3};

  /**
   * Reads both and checks that they belong together.
   *
   * @param password of the key, or empty
   */
  static Identity read(PemFile certificates, PemFile key, String password) throws TlsException {
    List<X509Certificate> chain = Certificates.of(certificates);
    Identity identity = new Identity(PrivateKeys.of(key, password), chain);
    if (!identity.matches()) {
      throw key.wrong("is not the key of " + certificates.directive() + " " + certificates.name());
    }
    return identity;
  }

  X509Certificate[] chainArray() {
    return chain.toArray(new X509Certificate[0]);
  }

  /** Whether what the key signs is what the certificate confirms. */
  private boolean matches() {
    PublicKey confirming = chain.getFirst().getPublicKey();
    if (key instanceof RSAKey ours && confirming instanceof RSAKey theirs) {
      return ours.getModulus().equals(theirs.getModulus());
    }
    String algorithm = signature(key.getAlgorithm());
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(SIGNED);
      byte[] signed = signer.sign();
      signer.initVerify(confirming);
      signer.update(SIGNED);
      return signer.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String signature(String keyAlgorithm) {
    return keyAlgorithm.equals("EC") ? "SHA256withECDSA" : keyAlgorithm;
  }
}
