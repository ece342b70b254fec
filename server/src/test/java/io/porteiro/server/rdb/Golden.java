package io.porteiro.server.rdb;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Files that real servers wrote; {@code r70} is Redis 7.0.15, {@code r79} one with the Bloom
 * module.
 */
final class Golden {
  private Golden() {}

  static byte[] bytes(String name) {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }
}
