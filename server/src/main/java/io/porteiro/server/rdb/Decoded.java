package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;

/** What a value type byte led to. */
sealed interface Decoded {
  /** A value, which is the receiver's to keep or release. */
  record Ours(Value value) implements Decoded {}

  /** A value of a type that we do not have, skipped. */
  record Foreign(String typeName) implements Decoded {}
}
