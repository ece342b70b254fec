package io.porteiro.server.glob;

import io.porteiro.server.memory.OffHeap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A glob pattern over byte strings, as KEYS, SCAN and PSUBSCRIBE know it.
 *
 * <pre>
 *   *        any bytes, also none       [abc]    one of these bytes
 *   ?        one byte                   [a-c]    one from a range, whichever end comes first
 *   \x       x itself                   [^a]     one that is not listed
 * </pre>
 *
 * <p>Redis's corners are kept: an unclosed class ends with the pattern; {@code ]} right behind
 * {@code [} closes an empty class; a range may end in {@code ]} and so leave its class open; bytes
 * in ranges compare as signed ones; and the empty string is matched by the empty pattern only.
 *
 * <p>The pattern is read where it lies, because clients may send patterns of any length. After a
 * mismatch only the last star is tried again, so the time is at most the product of both lengths.
 */
public final class GlobPattern {
  private static final long NO_MATCH = -1;

  private final MemorySegment bytes;
  private final long start;
  private final long end;
  private final boolean foldsCase;

  private GlobPattern(MemorySegment bytes, long start, long end, boolean foldsCase) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.foldsCase = foldsCase;
  }

  /** The pattern in an array, which must not change. */
  public static GlobPattern of(byte[] pattern) {
    return new GlobPattern(MemorySegment.ofArray(pattern), 0, pattern.length, false);
  }

  /** A pattern that takes ASCII letters of either case as the same: names of settings. */
  public static GlobPattern ignoringCase(byte[] pattern) {
    return new GlobPattern(MemorySegment.ofArray(pattern), 0, pattern.length, true);
  }

  /** Whether a word has anything that stands for other bytes, so that it must be matched. */
  public static boolean hasWildcards(String word) {
    return word.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  /** The pattern in memory outside the heap, of an argument, say; valid as long as that is. */
  public static GlobPattern of(long address, int length) {
    return new GlobPattern(OffHeap.MEMORY, address, address + length, false);
  }

  /** Whether it is a single star, which commands take as no pattern at all. */
  public boolean isStar() {
    return end - start == 1 && at(start) == '*';
  }

  /** Whether all of the text matches. */
  public boolean matches(byte[] text) {
    return matches(MemorySegment.ofArray(text), 0, text.length);
  }

  /** Whether all of a text outside the heap matches. */
  public boolean matches(long address, int length) {
    return matches(OffHeap.MEMORY, address, length);
  }

  private boolean matches(MemorySegment text, long from, int length) {
    long next = start;
    long behindStar = NO_MATCH;
    int starTakesUpTo = 0;
    int i = 0;
    while (i < length) {
      if (next < end && at(next) == '*') {
        behindStar = ++next;
        starTakesUpTo = i;
        continue;
      }
      byte b = text.get(ValueLayout.JAVA_BYTE, from + i);
      long behind = next < end ? behindMatch(next, b) : NO_MATCH;
      if (behind != NO_MATCH) {
        next = behind;
        i++;
      } else if (behindStar != NO_MATCH) {
        next = behindStar;
        i = ++starTakesUpTo;
      } else {
        return false;
      }
    }
    return length == 0 ? start == end : areStars(next);
  }

  private boolean areStars(long from) {
    for (long i = from; i < end; i++) {
      if (at(i) != '*') {
        return false;
      }
    }
    return true;
  }

  /** Where the pattern goes on if what stands at {@code i} matches the byte. */
  private long behindMatch(long i, byte b) {
    return switch (at(i)) {
      case '?' -> i + 1;
      case '[' -> behindClass(i + 1, b);
      case '\\' -> behindLiteral(i + 1 < end ? i + 1 : i, b);
      default -> behindLiteral(i, b);
    };
  }

  private long behindLiteral(long i, byte b) {
    return fold(at(i)) == fold(b) ? i + 1 : NO_MATCH;
  }

  private long behindClass(long first, byte b) {
    boolean negated = first < end && at(first) == '^';
    long i = negated ? first + 1 : first;
    boolean listed = false;
    while (i < end && at(i) != ']') {
      long last = lastOfMember(i);
      listed |= isMember(i, last, b);
      i = last + 1;
    }
    return listed != negated ? Math.min(i + 1, end) : NO_MATCH;
  }

  /** Index of the last byte of the escaped byte, range or plain byte that begins here. */
  private long lastOfMember(long i) {
    if (at(i) == '\\' && i + 1 < end) {
      return i + 1;
    }
    return i + 2 < end && at(i + 1) == '-' ? i + 2 : i;
  }

  private boolean isMember(long first, long last, byte b) {
    if (last - first < 2) {
      return fold(at(last)) == fold(b);
    }
    byte one = fold(at(first));
    byte other = fold(at(last));
    byte folded = fold(b);
    return folded >= Math.min(one, other) && folded <= Math.max(one, other);
  }

  private byte fold(byte b) {
    return foldsCase && b >= 'A' && b <= 'Z' ? (byte) (b + 32) : b;
  }

  private byte at(long i) {
    return bytes.get(ValueLayout.JAVA_BYTE, i);
  }
}
