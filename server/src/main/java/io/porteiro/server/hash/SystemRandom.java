package io.porteiro.server.hash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Bytes that nobody can guess, from the same source as {@link SecureRandom}'s: which at its first
 * use looks through all there is of cryptography, and that is a part of the start that is felt.
 */
public final class SystemRandom {
  private static final Path SOURCE = Path.of("/dev/urandom");

  private SystemRandom() {}

  public static byte[] bytes(int count) {
    try (InputStream in = Files.newInputStream(SOURCE)) {
      byte[] bytes = in.readNBytes(count);
      return bytes.length == count ? bytes : otherBytes(count);
    } catch (IOException _) {
      return otherBytes(count); // a system, or a root directory, without such a device
    }
  }

  private static byte[] otherBytes(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }
}
