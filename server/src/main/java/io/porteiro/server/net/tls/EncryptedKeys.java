package io.porteiro.server.net.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Decrypts private keys: PKCS#8 with PBES2 (RFC 8018), which OpenSSL 3 writes; with the older
 * PBES1, which Java knows; and what OpenSSL 1 wrote, with headers:
 *
 * <pre>
 *   Proc-Type: 4,ENCRYPTED
 *   DEK-Info: AES-256-CBC,9F3C...       cipher, initialisation vector; its first 8 bytes are the salt
 * </pre>
 *
 * A wrong password shows as a padding that is wrong, or as a key that makes no sense.
 */
final class EncryptedKeys {
  private static final String PBES2 = "2a864886f70d01050d";
  private static final int SALT_BYTES = 8;

  /** More would take minutes: the file is not one that anybody made for use. */
  private static final int MAX_ITERATIONS = 50_000_000;

  /** A cipher: Java's name, and the length of its key. */
  private record Algorithm(String name, int keyBytes) {
    String keyName() {
      return name.substring(0, name.indexOf('/'));
    }
  }

  private static final Algorithm AES_128 = new Algorithm("AES/CBC/PKCS5Padding", 16);
  private static final Algorithm AES_192 = new Algorithm("AES/CBC/PKCS5Padding", 24);
  private static final Algorithm AES_256 = new Algorithm("AES/CBC/PKCS5Padding", 32);
  private static final Algorithm TRIPLE_DES = new Algorithm("DESede/CBC/PKCS5Padding", 24);

  private static final Map<String, Algorithm> BY_ID =
      Map.of(
          "60864801650304" + "0102",
          AES_128,
          "60864801650304" + "0116",
          AES_192,
          "60864801650304" + "012a",
          AES_256,
          "2a864886f70d0307",
          TRIPLE_DES);

  private static final Map<String, Algorithm> BY_NAME =
      Map.of(
          "AES-128-CBC", AES_128,
          "AES-192-CBC", AES_192,
          "AES-256-CBC", AES_256,
          "DES-EDE3-CBC", TRIPLE_DES);

  private static final Map<String, String> PSEUDO_RANDOM_FUNCTIONS =
      Map.of(
          "2a864886f70d0207", "PBKDF2WithHmacSHA1",
          "2a864886f70d0208", "PBKDF2WithHmacSHA224",
          "2a864886f70d0209", "PBKDF2WithHmacSHA256",
          "2a864886f70d020a", "PBKDF2WithHmacSHA384",
          "2a864886f70d020b", "PBKDF2WithHmacSHA512");

  private EncryptedKeys() {}

  static boolean isEncrypted(PemBlock block) {
    return block.label().startsWith("ENCRYPTED")
        || block.headers().getOrDefault("Proc-Type", "").endsWith("ENCRYPTED");
  }

  static byte[] decrypt(PemBlock block, String password) throws GeneralSecurityException {
    return block.label().startsWith("ENCRYPTED")
        ? decryptPkcs8(block.content(), password)
        : decryptOld(block, password);
  }

  private static byte[] decryptPkcs8(byte[] encoded, String password)
      throws GeneralSecurityException {
    Der info = Der.of(encoded).enter(Der.SEQUENCE);
    Der scheme = info.enter(Der.SEQUENCE);
    if (!id(scheme).equals(PBES2)) {
      return decryptPbes1(encoded, password);
    }
    Der parameters = scheme.enter(Der.SEQUENCE);
    Der derivation = parameters.enter(Der.SEQUENCE);
    Der encryption = parameters.enter(Der.SEQUENCE);
    Algorithm algorithm = known(BY_ID, id(encryption), "cipher");
    byte[] vector = encryption.next(Der.OCTET_STRING);
    byte[] key = derive(derivation, password, algorithm.keyBytes);
    return decrypt(algorithm, key, vector, info.next(Der.OCTET_STRING));
  }

  private static byte[] decryptPbes1(byte[] encoded, String password)
      throws GeneralSecurityException {
    try {
      EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(encoded);
      Cipher cipher = Cipher.getInstance(info.getAlgName());
      PBEKeySpec spec = new PBEKeySpec(password.toCharArray());
      cipher.init(
          Cipher.DECRYPT_MODE,
          SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(spec),
          info.getAlgParameters());
      return cipher.doFinal(info.getEncryptedData());
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** PBKDF2: salt, iterations, length of the key (optional), function (HMAC-SHA1 if missing). */
  private static byte[] derive(Der derivation, String password, int keyBytes)
      throws GeneralSecurityException {
    derivation.skip();
    Der parameters = derivation.enter(Der.SEQUENCE);
    byte[] salt = parameters.next(Der.OCTET_STRING);
    int iterations = parameters.number();
    if (iterations <= 0 || iterations > MAX_ITERATIONS) {
      throw new IllegalArgumentException("its number of iterations is out of range");
    }
    if (parameters.peek() == Der.INTEGER) {
      parameters.skip();
    }
    String function =
        parameters.hasNext() ? id(parameters.enter(Der.SEQUENCE)) : "2a864886f70d0207";
    return SecretKeyFactory.getInstance(known(PSEUDO_RANDOM_FUNCTIONS, function, "key derivation"))
        .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, keyBytes * 8))
        .getEncoded();
  }

  private static byte[] decryptOld(PemBlock block, String password)
      throws GeneralSecurityException {
    String[] words = block.headers().getOrDefault("DEK-Info", "").split(",", -1);
    if (words.length != 2) {
      throw new IllegalArgumentException("DEK-Info is missing");
    }
    Algorithm algorithm = known(BY_NAME, words[0].strip().toUpperCase(Locale.ROOT), "cipher");
    byte[] vector = HexFormat.of().parseHex(words[1].strip());
    byte[] salt = Arrays.copyOf(vector, SALT_BYTES);
    byte[] key = deriveOld(password.getBytes(StandardCharsets.UTF_8), salt, algorithm.keyBytes);
    return decrypt(algorithm, key, vector, block.content());
  }

  /** MD5 of (what came before, password, salt), over and over until there are enough bytes. */
  private static byte[] deriveOld(byte[] password, byte[] salt, int keyBytes)
      throws GeneralSecurityException {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    byte[] key = new byte[keyBytes];
    byte[] last = new byte[0];
    for (int done = 0; done < keyBytes; done += last.length) {
      md5.update(last);
      md5.update(password);
      last = md5.digest(salt);
      System.arraycopy(last, 0, key, done, Math.min(last.length, keyBytes - done));
    }
    return key;
  }

  private static byte[] decrypt(Algorithm algorithm, byte[] key, byte[] vector, byte[] data)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(algorithm.name);
    cipher.init(
        Cipher.DECRYPT_MODE,
        new SecretKeySpec(key, algorithm.keyName()),
        new IvParameterSpec(vector));
    return cipher.doFinal(data);
  }

  private static String id(Der algorithm) {
    return HexFormat.of().formatHex(algorithm.next(Der.OBJECT_ID));
  }

  private static <T> T known(Map<String, T> all, String name, String what) {
    T found = all.get(name);
    if (found == null) {
      throw new IllegalArgumentException("its " + what + " is not supported");
    }
    return found;
  }
}
