package io.porteiro.server.command;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key's bytes as a key of maps. */
record KeyBytes(byte[] bytes) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyBytes(byte[] otherBytes) && Arrays.equals(bytes, otherBytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
