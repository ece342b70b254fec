package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.util.HashMap;
import java.util.Map;

/** Runs a {@link Scenario} on the structure itself, as the commands use it. */
final class StructureTarget implements Scenario.Target {
  private final MemoryPool pool;
  private final Workspace workspace = new Workspace();
  private final Union union = new Union(workspace);
  private final Map<Integer, StringValue> values = new HashMap<>();
  private long sparseMaxBytes;

  StructureTarget(MemoryPool pool) {
    this.pool = pool;
  }

  @Override
  public void setSparseMaxBytes(long sparseMaxBytes) {
    this.sparseMaxBytes = sparseMaxBytes;
  }

  @Override
  public void delete(int key) {
    StringValue value = values.remove(key);
    if (value != null) {
      value.release();
    }
  }

  void deleteAll() {
    values.values().forEach(StringValue::release);
    values.clear();
  }

  private StringValue value(int key) {
    return values.computeIfAbsent(key, _ -> HyperLogLog.create(pool));
  }

  @Override
  public long add(int key, String... elements) {
    boolean created = !values.containsKey(key);
    long[] hashes = Elements.hashes(elements);
    int changed =
        HyperLogLog.add(value(key), i -> hashes[i], 0, hashes.length, sparseMaxBytes, workspace);
    return created || changed > 0 ? 1 : 0;
  }

  @Override
  public long count(int... keys) {
    if (keys.length == 1) {
      StringValue value = values.get(keys[0]);
      return value == null ? 0 : HyperLogLog.count(value, workspace);
    }
    union.clear();
    include(keys);
    return union.count();
  }

  private void include(int... keys) {
    for (int key : keys) {
      StringValue value = values.get(key);
      if (value != null) {
        union.include(value);
      }
    }
  }

  @Override
  public void merge(int destination, int... sources) {
    union.clear();
    include(destination);
    include(sources);
    union.storeIn(value(destination), sparseMaxBytes);
  }

  @Override
  public byte[] bytes(int key) {
    StringValue value = values.get(key);
    return value == null ? new byte[0] : value.toArray();
  }
}
