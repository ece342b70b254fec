package io.porteiro.server.command;

import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.ValueType;
import java.util.HashSet;
import java.util.Set;

/** A value that remembers hashes, and that notices when it is used after its release. */
final class TestSet implements Value {
  private final Set<Long> hashes = new HashSet<>();
  private boolean released;

  private Set<Long> hashes() {
    if (released) {
      throw new IllegalStateException("used after its release");
    }
    return hashes;
  }

  boolean contains(long hash) {
    return hashes().contains(hash);
  }

  boolean add(long hash) {
    return hashes().add(hash);
  }

  int size() {
    return hashes().size();
  }

  @Override
  public ValueType type() {
    return ValueType.BLOOM;
  }

  @Override
  public long memoryBytes() {
    return (1L << 20) + 8L * hashes().size(); // as if it were worth touching ahead
  }

  @Override
  public long countedBytes() {
    return 0;
  }

  @Override
  public Value copy() {
    TestSet copy = new TestSet();
    copy.hashes.addAll(hashes());
    return copy;
  }

  @Override
  public void release() {
    hashes();
    released = true;
  }
}
