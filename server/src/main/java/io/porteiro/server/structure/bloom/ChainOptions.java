package io.porteiro.server.structure.bloom;

/**
 * The option bits that are stored with a chain.
 *
 * <pre>
 *    3   2   1   0
 *  +---+---+---+---+
 *  | F | W | E | R |   R: sizes are not rounded to powers of two
 *  +---+---+---+---+   E: entries are given as exponents of two
 *                      W: 64-bit hashes
 *                      F: fixed, the chain does not scale
 * </pre>
 */
final class ChainOptions {
  private static final int NO_ROUNDING = 1;
  private static final int ENTRIES_ARE_EXPONENTS = 2;
  private static final int WIDE_HASHES = 4;
  private static final int NON_SCALING = 8;
  private static final int ALL = 15;

  private ChainOptions() {}

  static int ofNew(boolean nonScaling) {
    return NO_ROUNDING | WIDE_HASHES | (nonScaling ? NON_SCALING : 0);
  }

  static boolean areKnown(long options) {
    return (options & ~ALL) == 0;
  }

  static boolean arePowersOfTwo(int options) {
    return (options & NO_ROUNDING) == 0;
  }

  /** Nobody knows how such a chain grows: none has been seen. */
  static boolean canGrow(int options) {
    return (options & ENTRIES_ARE_EXPONENTS) == 0;
  }

  static boolean isNonScaling(int options) {
    return (options & NON_SCALING) != 0;
  }

  static HashWidth hashWidth(int options) {
    return (options & WIDE_HASHES) != 0 ? HashWidth.BITS_64 : HashWidth.BITS_32;
  }
}
