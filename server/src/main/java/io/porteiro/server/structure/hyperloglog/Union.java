package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.structure.string.StringValue;
import org.jspecify.annotations.Nullable;

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
  private final RegisterGroups registers;
  private boolean isEmpty = true;
  private boolean hasDense;

  /**
   * All of the union, as long as the first one is dense and no other has a register above its own:
   * mostly merges tell the destination what it knows. Then nothing has been loaded yet.
   */
  private @Nullable StringValue cover;

  public Union(Workspace workspace) {
    this.workspace = workspace;
    this.registers = workspace.registers;
  }

  /** Starts a new union. */
  public void clear() {
    isEmpty = true;
    hasDense = false;
    cover = null;
  }

  /**
   * Adds a HyperLogLog to the union.
   *
   * @throws CorruptHyperLogLogException if its opcodes cover other than exactly all registers; the
   *     union is of no use then
   */
  public void include(StringValue value) {
    if (HyperLogLog.isDense(value)) {
      includeDense(value);
    } else {
      load();
      workspace.sparse.raiseTo(value, registers);
    }
  }

  private void includeDense(StringValue value) {
    hasDense = true;
    if (isEmpty) {
      isEmpty = false;
      cover = value;
    } else if (cover == null) {
      registers.raise(HyperLogLog.registers(value));
    } else {
      includeUnlessCovered(HyperLogLog.registers(cover), HyperLogLog.registers(value));
    }
  }

  private void includeUnlessCovered(long covering, long dense) {
    if (!DenseRegisters.cover(covering, dense)) {
      registers.loadMax(covering, dense);
      cover = null;
    }
  }

  /** Makes the registers be the union so far. */
  private void load() {
    StringValue only = cover;
    if (only != null) {
      registers.load(HyperLogLog.registers(only));
      cover = null;
    } else if (isEmpty) {
      registers.clear();
    }
    isEmpty = false;
  }

  /** The estimated number of distinct elements in the union. */
  public long count() {
    load();
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
    if (cover != destination) {
      load();
      storeChanged(destination, sparseMaxBytes);
    }
    HyperLogLogHeader.markStale(destination.editKeepingAttachment());
  }

  private void storeChanged(StringValue destination, long sparseMaxBytes) {
    if (HyperLogLog.isDense(destination)) {
      storeInDense(destination);
    } else if (hasDense) {
      HyperLogLog.makeDense(destination, registers);
    } else {
      storeInSparse(destination, sparseMaxBytes);
    }
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
    registers.store(HyperLogLog.registers(destination));
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
