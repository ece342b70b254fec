package io.porteiro.server.command.hyperloglog;

import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.hyperloglog.CorruptHyperLogLogException;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.hyperloglog.Union;
import io.porteiro.server.structure.hyperloglog.Workspace;
import io.porteiro.server.structure.string.StringValue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HyperLogLog under a key, and what a thread needs to work on it. */
final class HyperLogLogs {
  private static final String NOT_VALID = "WRONGTYPE Key is not a valid HyperLogLog string value.";
  private static final String CORRUPT = "INVALIDOBJ Corrupted HLL object detected";

  private static final ThreadLocal<Workspace> WORKSPACE = ThreadLocal.withInitial(Workspace::new);
  private static final ThreadLocal<Union> UNION =
      ThreadLocal.withInitial(() -> new Union(WORKSPACE.get()));

  private HyperLogLogs() {}

  static Workspace workspace() {
    return WORKSPACE.get();
  }

  /** Shares the workspace. Empty. */
  static Union newUnion() {
    Union union = UNION.get();
    union.clear();
    return union;
  }

  /**
   * The HyperLogLog of an entry.
   *
   * @throws CommandException if it holds something else
   */
  static StringValue of(Entry entry) {
    if (!(entry.value() instanceof StringValue value)) {
      throw Errors.wrongType();
    }
    if (!HyperLogLog.isValid(value)) {
      throw new CommandException(NOT_VALID);
    }
    return value;
  }

  /** The HyperLogLog of an entry, if there is an entry and it holds a valid one. */
  static @Nullable StringValue ofOrNull(@Nullable Entry entry) {
    return entry != null && entry.value() instanceof StringValue value && HyperLogLog.isValid(value)
        ? value
        : null;
  }

  /** What the structure refuses, which then has changed nothing, as the error to answer. */
  static <T> T orCorrupt(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (CorruptHyperLogLogException e) {
      throw corrupt();
    }
  }

  static CommandException corrupt() {
    return new CommandException(CORRUPT);
  }
}
