package io.porteiro.server.structure;

/**
 * What a key holds. Guarded by the lock of the key's shard: read under it, changed under its write
 * lock.
 */
public interface Value {
  ValueType type();

  /**
   * Bytes it takes, off-heap blocks in full and its own objects on the heap; what MEMORY USAGE
   * counts.
   */
  long memoryBytes();

  /** The part of them that is counted in the pool: what {@link #release} takes off its count. */
  long countedBytes();

  /**
   * A copy that shares nothing with this value.
   *
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room for it
   */
  Value copy();

  /**
   * Reads the objects on the heap that lead to its bytes, so that they are in the cache when a
   * command comes. It may be called without the lock, while another thread makes or changes the
   * value: it follows only references that it has looked at, and no address.
   *
   * @return something that depends on all it has read
   */
  default long touchObjects() {
    return 0;
  }

  /** Gives its blocks back. The value must not be used afterwards. */
  void release();
}
