package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.structure.string.StringValue;

/**
 * The union of several HyperLogLogs: of each register the greatest value, so that order and
 * repetition do not matter. One per thread, used from {@link #clear} on.
 */
public final class Union {
  /**
   * Up to this many changed groups the destination's histogram is corrected; where more change,
   * counting anew when it is asked for is cheaper.
   */
  private static final int MAX_CORRECTED_GROUPS = DenseRegisters.GROUPS / 3;

  private final Workspace workspace;
  private final UnpackedRegisters registers;
  private boolean isEmpty = true;
  private boolean hasDense;

  public Union(Workspace workspace) {
    this.workspace = workspace;
    this.registers = workspace.registers;
  }

  /** Starts a new union. */
  public void clear() {
    isEmpty = true;
    hasDense = false;
  }

  /**
   * Adds a HyperLogLog to the union.
   *
   * @throws CorruptHyperLogLogException if its opcodes cover other than exactly all registers; the
   *     union is of no use then
   */
  public void include(StringValue value) {
    if (HyperLogLog.isDense(value)) {
      includeDense(HyperLogLog.registers(value));
    } else {
      clearIfEmpty();
      workspace.sparse.raiseTo(value, registers);
    }
  }

  private void includeDense(long dense) {
    hasDense = true;
    if (isEmpty) {
      isEmpty = false;
      registers.load(dense);
    } else {
      registers.raise(dense);
    }
  }

  private void clearIfEmpty() {
    if (isEmpty) {
      isEmpty = false;
      registers.clear();
    }
  }

  /** The estimated number of distinct elements in the union. */
  public long count() {
    clearIfEmpty();
    registers.count(workspace.histogram);
    return Estimator.estimate(workspace.histogram);
  }

  /**
   * Makes the destination, which must be included in the union or empty, be the union. It turns
   * dense if one of those included is, or else where it would pass {@code sparseMaxBytes}. Its
   * cached cardinality is stale afterwards.
   *
   * @throws MemoryLimitException if there is no room; nothing has changed
   */
  public void storeIn(StringValue destination, long sparseMaxBytes) {
    clearIfEmpty();
    if (HyperLogLog.isDense(destination)) {
      storeInDense(destination);
    } else if (hasDense) {
      HyperLogLog.makeDense(destination, registers);
    } else {
      storeInSparse(destination, sparseMaxBytes);
    }
    HyperLogLogHeader.markStale(destination.editKeepingAttachment());
  }

  private void storeInDense(StringValue destination) {
    int changes = registers.differingGroups(HyperLogLog.registers(destination));
    if (changes == 0) {
      return;
    }
    if (HyperLogLog.hasHistogram(destination) && changes <= MAX_CORRECTED_GROUPS) {
      destination.editKeepingAttachment();
      registers.moveHistogram(HyperLogLog.registers(destination), destination.attachmentAddress());
    } else {
      destination.edit();
    }
    registers.pack(HyperLogLog.registers(destination));
  }

  /** Register by register from the first on, because Redis's bytes depend on the order. */
  private void storeInSparse(StringValue destination, long sparseMaxBytes) {
    HyperLogLog.reserveSparse(destination, registers.countNonZero(), sparseMaxBytes);
    workspace.sparse.startSeries();
    for (int i = registers.nextNonZero(0); i >= 0; i = registers.nextNonZero(i + 1)) {
      if (raiseNext(destination, i, sparseMaxBytes) == SparseRegisters.Outcome.TOO_BIG) {
        HyperLogLog.makeDense(destination, registers);
        break;
      }
    }
    HyperLogLog.giveBackSlack(destination);
  }

  private SparseRegisters.Outcome raiseNext(
      StringValue destination, int register, long sparseMaxBytes) {
    return workspace.sparse.raiseNext(
        destination, register, registers.get(register), sparseMaxBytes);
  }
}
