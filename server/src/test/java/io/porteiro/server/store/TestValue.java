package io.porteiro.server.store;

import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.ValueType;

/** A value without content that notices a second release. */
final class TestValue implements Value {
  private volatile boolean released;

  boolean isReleased() {
    return released;
  }

  @Override
  public ValueType type() {
    return ValueType.STRING;
  }

  @Override
  public long memoryBytes() {
    return 10;
  }

  @Override
  public long countedBytes() {
    return 0;
  }

  @Override
  public Value copy() {
    return new TestValue();
  }

  @Override
  public void release() {
    if (released) {
      throw new IllegalStateException("released twice");
    }
    released = true;
  }
}
