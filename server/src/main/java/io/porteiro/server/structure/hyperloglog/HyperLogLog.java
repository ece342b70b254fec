package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.util.function.IntToLongFunction;

/**
 * Counts distinct elements in 12 KB or less, with a standard error of 0.81 %: Flajolet, Fusy,
 * Gandouet, Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm"
 * (2007). An element's hash names one of 16384 registers and a rank; a register keeps the greatest
 * rank seen.
 *
 * <p>A HyperLogLog is a string, in Redis's own bytes: a {@link HyperLogLogHeader}, then the
 * registers, at first {@link SparseRegisters run-length coded}, from a configured length on {@link
 * DenseRegisters dense}. A dense one that was counted carries its {@link Histogram} as the string's
 * attachment, so that adding and counting in turns costs 50 numbers, not 16384 registers.
 *
 * <p>The string may be anything that a client wrote there: all methods but {@link #isValid} want a
 * valid header, and whatever the bytes behind it are, they get an answer or {@link
 * CorruptHyperLogLogException}. An operation that throws has changed nothing.
 */
public final class HyperLogLog {
  /** Bits of a hash that choose the register. */
  static final int PRECISION = 14;

  public static final int REGISTERS = 1 << PRECISION;

  /** Length of every dense one. */
  static final int DENSE_LENGTH = HyperLogLogHeader.BYTES + DenseRegisters.BYTES;

  private static final int EMPTY_LENGTH = HyperLogLogHeader.BYTES + SparseRegisters.EMPTY_BYTES;

  /** Slack for a sparse one, on top of what it needs; as Redis. */
  private static final int SPARSE_SLACK_BYTES = 300;

  private HyperLogLog() {}

  /**
   * An empty one, whose cached cardinality counts as stale.
   *
   * @throws MemoryLimitException if there is no room
   */
  public static StringValue create(MemoryPool pool) {
    StringValue value = StringValue.zeros(pool, EMPTY_LENGTH);
    HyperLogLogHeader.writeMagic(value.address());
    HyperLogLogHeader.setEncoding(value.address(), HyperLogLogHeader.SPARSE);
    HyperLogLogHeader.markStale(value.address());
    SparseRegisters.writeEmpty(registers(value));
    return value;
  }

  /** Whether the string has the header, and if dense the length, of a HyperLogLog. */
  public static boolean isValid(StringValue value) {
    if (value.isNumber()
        || value.length() < HyperLogLogHeader.BYTES
        || !HyperLogLogHeader.hasMagic(value.address())) {
      return false;
    }
    return isDense(value) ? value.length() == DENSE_LENGTH : isSparse(value);
  }

  public static boolean isDense(StringValue value) {
    return HyperLogLogHeader.encoding(value.address()) == HyperLogLogHeader.DENSE;
  }

  private static boolean isSparse(StringValue value) {
    return HyperLogLogHeader.encoding(value.address()) == HyperLogLogHeader.SPARSE;
  }

  static long registers(StringValue value) {
    return value.address() + HyperLogLogHeader.BYTES;
  }

  /**
   * Whether adding the element would change a register. Only reads, so that many may ask at once.
   *
   * @throws CorruptHyperLogLogException if there is no such register
   */
  public static boolean wouldChange(StringValue value, long hash, Workspace workspace) {
    int register = ElementHash.index(hash);
    int rank = ElementHash.rank(hash);
    if (isDense(value)) {
      return DenseRegisters.get(registers(value), register) < rank;
    }
    return rank > SparseOpcode.VAL_MAX_VALUE || workspace.sparse.isBelow(value, register, rank);
  }

  /**
   * Adds elements.
   *
   * @param hashes the elements' hashes, those from {@code from} up to {@code to}
   * @param sparseMaxBytes length past which a sparse one turns dense
   * @return how many of them changed a register
   * @throws CorruptHyperLogLogException if there is a register missing
   * @throws MemoryLimitException if there is no room
   */
  public static int add(
      StringValue value,
      IntToLongFunction hashes,
      int from,
      int to,
      long sparseMaxBytes,
      Workspace workspace) {
    boolean wasSparse = !isDense(value);
    if (wasSparse) {
      prepareSparse(value, hashes, from, to, sparseMaxBytes, workspace);
    }
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += addPrepared(value, hashes.applyAsLong(i), sparseMaxBytes, workspace) ? 1 : 0;
    }
    if (wasSparse) {
      giveBackSlack(value);
    }
    return changed;
  }

  private static boolean addPrepared(
      StringValue value, long hash, long sparseMaxBytes, Workspace workspace) {
    int register = ElementHash.index(hash);
    int rank = ElementHash.rank(hash);
    if (isDense(value)) {
      return raiseDense(value, register, rank);
    }
    return switch (workspace.sparse.raise(value, register, rank, sparseMaxBytes)) {
      case UNCHANGED -> false;
      case CHANGED -> true;
      case TOO_BIG -> {
        toDense(value, workspace);
        yield raiseDense(value, register, rank);
      }
    };
  }

  private static boolean raiseDense(StringValue value, int register, int rank) {
    int before = DenseRegisters.get(registers(value), register);
    if (before >= rank) {
      return false;
    }
    HyperLogLogHeader.markStale(value.editKeepingAttachment());
    DenseRegisters.set(registers(value), register, rank);
    if (hasHistogram(value)) {
      Histogram.move(value.attachmentAddress(), before, rank);
    }
    return true;
  }

  /** Everything that can fail, before the first of several changes. */
  private static void prepareSparse(
      StringValue value,
      IntToLongFunction hashes,
      int from,
      int to,
      long sparseMaxBytes,
      Workspace workspace) {
    int lastRegister = 0;
    int greatestRank = 0;
    for (int i = from; i < to; i++) {
      lastRegister = Math.max(lastRegister, ElementHash.index(hashes.applyAsLong(i)));
      greatestRank = Math.max(greatestRank, ElementHash.rank(hashes.applyAsLong(i)));
    }
    boolean mayTurnDense = reserveSparse(value, to - from, sparseMaxBytes);
    if (to - from > 1) {
      workspace.sparse.isBelow(value, lastRegister, greatestRank);
      if (mayTurnDense || greatestRank > SparseOpcode.VAL_MAX_VALUE) {
        value.reserve(DENSE_LENGTH + Histogram.BYTES, 0);
        workspace.sparse.count(value, workspace.histogram);
      }
    }
  }

  /** Room for that many changes, sparse or dense; whether it may have to turn dense. */
  static boolean reserveSparse(StringValue value, int changes, long sparseMaxBytes) {
    long growth = (long) SparseOpcode.MAX_GROWTH_BYTES * Math.min(changes, REGISTERS);
    long needed = value.length() + growth;
    if (needed <= sparseMaxBytes) {
      value.reserve(needed, Math.min(SPARSE_SLACK_BYTES, sparseMaxBytes - needed));
      return false;
    }
    long sparse = Math.min(needed, sparseMaxBytes);
    value.reserve(Math.max(sparse, DENSE_LENGTH + Histogram.BYTES), 0);
    return true;
  }

  /** What was reserved for turning dense, and then was not needed. */
  static void giveBackSlack(StringValue value) {
    long slack = value.block().size() - value.length() - Histogram.BYTES;
    if (slack > 2 * SPARSE_SLACK_BYTES) {
      value.trim();
    }
  }

  /**
   * Makes a sparse one dense; the cached cardinality stays as it is.
   *
   * @return whether it was sparse
   * @throws CorruptHyperLogLogException if its opcodes cover other than exactly all registers
   * @throws MemoryLimitException if there is no room
   */
  public static boolean toDense(StringValue value, Workspace workspace) {
    if (isDense(value)) {
      return false;
    }
    workspace.registers.clear();
    workspace.sparse.raiseTo(value, workspace.registers);
    makeDense(value, workspace.registers);
    return true;
  }

  static void makeDense(StringValue value, RegisterGroups registers) {
    value.reserve(DENSE_LENGTH + Histogram.BYTES, 0);
    value.setLength(DENSE_LENGTH);
    HyperLogLogHeader.setEncoding(value.edit(), HyperLogLogHeader.DENSE);
    registers.store(registers(value));
  }

  /** Whether {@link #count} only has to read the cached cardinality. */
  public static boolean isCounted(StringValue value) {
    return !HyperLogLogHeader.isStale(value.address());
  }

  /**
   * The estimated number of distinct elements. If the cached one is stale, it is replaced: this
   * changes the string, and the histogram is attached to a dense one.
   *
   * @throws CorruptHyperLogLogException if it must be counted and the opcodes cover other than
   *     exactly all registers
   * @throws MemoryLimitException if there is no room for a copy of a string that a snapshot holds
   */
  public static long count(StringValue value, Workspace workspace) {
    if (!isCounted(value)) {
      loadHistogram(value, workspace);
      long estimate = Estimator.estimate(workspace.histogram);
      HyperLogLogHeader.setCardinality(value.editKeepingAttachment(), estimate);
    }
    return HyperLogLogHeader.cardinality(value.address());
  }

  private static void loadHistogram(StringValue value, Workspace workspace) {
    if (!isDense(value)) {
      workspace.sparse.count(value, workspace.histogram);
    } else if (hasHistogram(value)) {
      workspace.histogram.load(value.attachmentAddress());
    } else {
      workspace.registers.load(registers(value));
      workspace.registers.count(workspace.histogram);
      attachHistogram(value, workspace.histogram);
    }
  }

  static boolean hasHistogram(StringValue value) {
    return value.attachmentBytes() == Histogram.BYTES;
  }

  private static void attachHistogram(StringValue value, Histogram histogram) {
    try {
      value.attach(Histogram.BYTES);
      histogram.store(value.attachmentAddress());
    } catch (MemoryLimitException _) {
      // Only the next count is slower.
    }
  }

  /** The value of a register of a dense one, 0 to 63. */
  public static int denseRegister(StringValue value, int register) {
    return DenseRegisters.get(registers(value), register);
  }

  /**
   * The opcodes of a sparse one, such as {@code Z:12711 v:2,1 Z:3672}: runs of zeros in short (z)
   * and long (Z) form, and values with their runs.
   *
   * @throws CorruptHyperLogLogException if there are so many that they cannot be right, or the last
   *     one is cut
   */
  public static String describeSparse(StringValue value, Workspace workspace) {
    return workspace.sparse.describe(value);
  }
}
