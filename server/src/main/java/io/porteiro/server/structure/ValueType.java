package io.porteiro.server.structure;

/** The types a key can have, with the names that TYPE answers. */
public enum ValueType {
  /** Bytes; a HyperLogLog is one too. */
  STRING("string"),
  /** A chain of Bloom filters; the name is the module type's of RedisBloom. */
  BLOOM("MBbloom--");

  private final String typeName;

  ValueType(String typeName) {
    this.typeName = typeName;
  }

  /** What TYPE answers and SCAN TYPE is asked for. */
  public String typeName() {
    return typeName;
  }
}
