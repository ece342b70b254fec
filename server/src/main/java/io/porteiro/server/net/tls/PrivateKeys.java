package io.porteiro.server.net.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Private keys in all forms that OpenSSL writes: PKCS#8, plain or encrypted, and the older ones of
 * RSA (PKCS#1) and elliptic curves (SEC 1), which are wrapped into PKCS#8, the only form that Java
 * reads.
 *
 * <pre>
 *   PKCS#8:   SEQUENCE { 0, SEQUENCE { algorithm, parameters }, OCTET STRING { key as in the old form } }
 *   SEC 1:    SEQUENCE { 1, OCTET STRING, [0] { curve }, [1] { public key } }
 * </pre>
 */
final class PrivateKeys {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] RSA = HEX.parseHex("2a864886f70d010101");
  private static final byte[] EC = HEX.parseHex("2a8648ce3d0201");

  /** Java's names of the algorithms, by object identifier. */
  private static final Map<String, String> ALGORITHMS =
      Map.of(
          HEX.formatHex(RSA),
          "RSA",
          HEX.formatHex(EC),
          "EC",
          "2a864886f70d01010a",
          "RSASSA-PSS",
          "2b6570",
          "Ed25519",
          "2b6571",
          "Ed448");

  private PrivateKeys() {}

  /**
   * The first private key of a file.
   *
   * @param password of an encrypted key; empty if there is none
   */
  static PrivateKey of(PemFile file, String password) throws TlsException {
    List<PemBlock> blocks = file.blocks();
    for (PemBlock block : blocks) {
      if (block.isPrivateKey()) {
        return key(file, block, password, curve(blocks));
      }
    }
    throw file.wrong("has no private key");
  }

  private static byte @Nullable [] curve(List<PemBlock> blocks) {
    return blocks.stream()
        .filter(block -> block.label().equals("EC PARAMETERS"))
        .map(PemBlock::content)
        .findFirst()
        .orElse(null);
  }

  private static PrivateKey key(
      PemFile file, PemBlock block, String password, byte @Nullable [] curve) throws TlsException {
    boolean encrypted = EncryptedKeys.isEncrypted(block);
    if (encrypted && password.isEmpty()) {
      throw file.wrong("is encrypted, and " + file.directive() + "-pass is not set");
    }
    try {
      byte[] plain = encrypted ? EncryptedKeys.decrypt(block, password) : block.content();
      return fromPkcs8(pkcs8(block.label(), plain, curve));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw file.wrong(
          encrypted
              ? "cannot be decrypted: is " + file.directive() + "-pass right? " + e.getMessage()
              : "has a private key that cannot be read: " + e.getMessage());
    }
  }

  private static byte[] pkcs8(String label, byte[] key, byte @Nullable [] curve) {
    return switch (label) {
      case "PRIVATE KEY", "ENCRYPTED PRIVATE KEY" -> key;
      case "RSA PRIVATE KEY" -> wrap(RSA, Der.element(Der.NULL), key);
      case "EC PRIVATE KEY" -> wrap(EC, curveOf(key, curve), key);
      default -> throw new IllegalArgumentException(label + " is not supported");
    };
  }

  private static byte[] wrap(byte[] algorithm, byte[] parameters, byte[] key) {
    return Der.element(
        Der.SEQUENCE,
        Der.element(Der.INTEGER, new byte[1]),
        Der.element(Der.SEQUENCE, Der.element(Der.OBJECT_ID, algorithm), parameters),
        Der.element(Der.OCTET_STRING, key));
  }

  /** A key may leave out its curve where the file has it in a block of its own. */
  private static byte[] curveOf(byte[] sec1, byte @Nullable [] elsewhere) {
    Der members = Der.of(sec1).enter(Der.SEQUENCE);
    members.skip();
    members.skip();
    if (members.peek() == Der.CONTEXT_0) {
      return members.enter(Der.CONTEXT_0).nextWhole();
    }
    if (elsewhere == null) {
      throw new IllegalArgumentException("its curve is missing");
    }
    return elsewhere;
  }

  private static PrivateKey fromPkcs8(byte[] pkcs8) throws GeneralSecurityException {
    Der members = Der.of(pkcs8).enter(Der.SEQUENCE);
    members.skip();
    String id = HEX.formatHex(members.enter(Der.SEQUENCE).next(Der.OBJECT_ID));
    String algorithm = ALGORITHMS.get(id);
    if (algorithm == null) {
      throw new IllegalArgumentException("its algorithm is not supported");
    }
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }
}
