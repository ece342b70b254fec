package io.porteiro.server.command;

import java.util.List;

/**
 * Which arguments of a command are keys, and what is done to them.
 *
 * @param flags as COMMAND INFO lists them: one of RO, RW, OW, RM, then the finer ones
 * @param begin index of the first key
 * @param last index of the last one, relative to {@code begin}; negative counts from the last
 *     argument (-1), as Redis does
 * @param step from one key to the next
 * @param notes what COMMAND INFO says of it in words; mostly nothing
 * @see <a href="https://redis.io/docs/latest/develop/reference/key-specs/">Redis key
 *     specifications</a>
 */
public record KeySpec(List<String> flags, int begin, int last, int step, String notes) {
  /** One key at an index. */
  public static KeySpec one(int index, String... flags) {
    return new KeySpec(List.of(flags), index, 0, 1, "");
  }

  /** Keys from an index to the end, {@code step} apart. */
  public static KeySpec from(int index, int step, String... flags) {
    return new KeySpec(List.of(flags), index, -1, step, "");
  }

  /** The same with a remark. */
  public KeySpec noting(String newNotes) {
    return new KeySpec(flags, begin, last, step, newNotes);
  }

  /** Whether the keys are only read. */
  public boolean isReadOnly() {
    return flags.contains("RO");
  }

  /** Whether they are keys at all: shard channels are given where other commands have keys. */
  public boolean isKey() {
    return !flags.contains("not_key");
  }

  /** Index of the last key among {@code count} arguments; below {@link #begin} if there is none. */
  public int lastIndex(int count) {
    return last >= 0 ? Math.min(begin + last, count - 1) : count + last;
  }
}
