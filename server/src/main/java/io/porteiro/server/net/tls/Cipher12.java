package io.porteiro.server.net.tls;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * A cipher suite of TLS 1.2 or older under its two names, and the words by which OpenSSL's cipher
 * lists select it.
 *
 * <pre>
 *   Java:     TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
 *                 ^exchange and authentication
 *                                ^encryption ^hash
 *   OpenSSL:  ECDHE-RSA-AES256-GCM-SHA384
 * </pre>
 *
 * @param words in upper case, the OpenSSL name among them
 * @param keyBits strength of the encryption
 */
record Cipher12(String javaName, String openSslName, Set<String> words, int keyBits) {
  private static final String WITH = "_WITH_";

  /** Whether a name is one that this class understands; anonymous suites are none. */
  static boolean isOne(String javaName) {
    return javaName.startsWith("TLS_")
        && javaName.contains(WITH)
        && !javaName.contains("anon")
        && !javaName.contains("NULL")
        && !javaName.startsWith("TLS_ECDH_");
  }

  static Cipher12 of(String javaName) {
    String exchange = javaName.substring("TLS_".length(), javaName.indexOf(WITH));
    String encryption = javaName.substring(javaName.indexOf(WITH) + WITH.length());
    Set<String> words = new HashSet<>(Set.of("ALL", "DEFAULT"));
    addExchange(exchange, words);
    addEncryption(encryption, words);
    String name = openSslName(exchange, encryption);
    words.add(name);
    return new Cipher12(javaName, name, words, keyBits(encryption));
  }

  private static void addExchange(String exchange, Set<String> words) {
    if (exchange.startsWith("ECDHE")) {
      words.addAll(Set.of("ECDHE", "EECDH", "KECDHE", "KEECDH", "ECDH"));
    } else if (exchange.startsWith("DHE")) {
      words.addAll(Set.of("DHE", "EDH", "KDHE", "KEDH", "DH"));
    } else {
      words.add("KRSA");
    }
    if (exchange.endsWith("ECDSA")) {
      words.addAll(Set.of("AECDSA", "ECDSA"));
    } else if (exchange.endsWith("DSS")) {
      words.addAll(Set.of("ADSS", "DSS"));
    } else {
      words.addAll(Set.of("ARSA", "RSA"));
    }
  }

  private static void addEncryption(String encryption, Set<String> words) {
    boolean authenticated = encryption.contains("GCM") || encryption.contains("POLY1305");
    if (encryption.startsWith("AES")) {
      words.addAll(Set.of("AES", "AES" + keyBits(encryption), "HIGH"));
    } else if (encryption.startsWith("CHACHA20")) {
      words.addAll(Set.of("CHACHA20", "HIGH"));
    } else {
      words.addAll(Set.of("3DES", "MEDIUM"));
    }
    if (encryption.contains("GCM")) {
      words.add("AESGCM");
    }
    String hash = encryption.substring(encryption.lastIndexOf('_') + 1);
    if (!authenticated) {
      words.add(hash);
    }
    boolean old = hash.equals("SHA");
    words.addAll(old ? Set.of("SHA1", "TLSV1", "SSLV3") : Set.of("TLSV1.2"));
  }

  private static int keyBits(String encryption) {
    return encryption.contains("128") ? 128 : encryption.startsWith("3DES") ? 112 : 256;
  }

  private static String openSslName(String exchange, String encryption) {
    String prefix = exchange.equals("RSA") ? "" : exchange.replace('_', '-') + "-";
    String name =
        encryption
            .replace("_CBC", "")
            .replace("3DES_EDE", "DES-CBC3")
            .replace("AES_", "AES")
            .replace("POLY1305_SHA256", "POLY1305")
            .replace('_', '-');
    return (prefix + name).toUpperCase(Locale.ROOT);
  }
}
