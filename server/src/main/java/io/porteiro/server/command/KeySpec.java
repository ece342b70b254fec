package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which arguments of a command are keys, and what is done to them.
 *
 * @param flags as COMMAND INFO lists them: one of RO, RW, OW, RM, then the finer ones
 * @param begin index of the first key
 * @param last index of the last one, relative to {@code begin}; negative counts from the last
 *     argument (-1), as Redis does
 * @param step from one key to the next
 * @param notes what COMMAND INFO says of it in words; mostly nothing
 * @param keyword the word before the keys, as COMMAND INFO tells it; empty where they have a fixed
 *     place. With it, {@code begin} only tells from where the word is searched
 * @param finder looks for the first key in a request; null: it is at {@code begin}, always
 * @see <a href="https://redis.io/docs/latest/develop/reference/key-specs/">Redis key
 *     specifications</a>
 */
public record KeySpec(
    List<String> flags,
    int begin,
    int last,
    int step,
    String notes,
    String keyword,
    @Nullable Finder finder) {
  /** What {@link #first} answers where there is no key: more than any request has arguments. */
  public static final int NONE = 1 << 30;

  /** Looks for the first key where its place depends on the arguments. */
  @FunctionalInterface
  public interface Finder {
    /**
     * Index of the first key, counted from the command's name, or {@link #NONE}.
     *
     * @param command where the command's name is in the request
     */
    int find(Request request, int command);
  }

  /** One key at an index. */
  public static KeySpec one(int index, String... flags) {
    return new KeySpec(List.of(flags), index, 0, 1, "", "", null);
  }

  /** Keys from an index to the end, {@code step} apart. */
  public static KeySpec from(int index, int step, String... flags) {
    return new KeySpec(List.of(flags), index, -1, step, "", "", null);
  }

  /** The same with a remark. */
  public KeySpec noting(String newNotes) {
    return new KeySpec(flags, begin, last, step, newNotes, keyword, finder);
  }

  /** The same, where requests are searched for the first key. */
  public KeySpec foundBy(Finder newFinder) {
    return new KeySpec(flags, begin, last, step, notes, keyword, newFinder);
  }

  /** Keys to the end behind a word; to be completed with {@link #foundBy}. */
  public static KeySpec behind(String keyword, int searchedFrom, String... flags) {
    return new KeySpec(List.of(flags), searchedFrom, -1, 1, "", keyword, null);
  }

  /** Index of the first key in a request, or {@link #NONE}. */
  public int first(Request request) {
    return first(request, 0);
  }

  /**
   * The same where the command stands within another, counted from its name.
   *
   * @param command index of the name
   */
  public int first(Request request, int command) {
    return finder == null ? begin : finder.find(request, command);
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
