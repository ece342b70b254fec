package io.porteiro.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The SHA-256 of a password, which is what is kept of it.
 *
 * @param hex 64 hexadecimal digits in lower case
 */
record PasswordHash(String hex) {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

  static PasswordHash of(byte[] password) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return new PasswordHash(HexFormat.of().formatHex(sha256.digest(password)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /**
   * A hash as a rule gives it.
   *
   * @param rule {@code #hash} or {@code !hash}
   */
  static PasswordHash parse(String rule) throws RuleException {
    String hex = rule.substring(1);
    if (!FORM.matcher(hex).matches()) {
      throw new RuleException(RuleError.BAD_HASH, rule);
    }
    return new PasswordHash(hex);
  }

  /** Whether both are of one password; the time it takes tells nothing of where they differ. */
  boolean isSame(PasswordHash other) {
    return MessageDigest.isEqual(bytes(), other.bytes());
  }

  private byte[] bytes() {
    return hex.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return "#" + hex;
  }
}
