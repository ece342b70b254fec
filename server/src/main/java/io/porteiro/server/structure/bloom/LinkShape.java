package io.porteiro.server.structure.bloom;

import io.porteiro.server.memory.MemoryPool;

/**
 * What is fixed about a link when it is made: its capacity, its error rate and what follows from
 * them.
 *
 * <p>The optimum of the literature: bits per entry = -ln(rate) / ln(2)^2, hash functions = ln(2) *
 * bits per entry. The constants have the digits that the Bloom module has, since the results must
 * not differ in the last bit. They are computed with {@code Math.log}: {@code StrictMath.log}
 * differs from the C library's in one rate of 70, among them 0.0003125.
 *
 * @param entries how many items it is made for, an unsigned number
 * @param errorRate probability of a false positive when it holds that many, between 0 and 1
 * @param bitsPerEntry as computed when it was made; a stored value is kept as it is
 * @param hashes number of probes per item, 1 to {@link #MAX_HASHES}
 * @param bits size of the bit array, a positive multiple of 8
 * @param log2 where positive, only the first 2^log2 bits are used; 0 in all links made today
 */
public record LinkShape(
    long entries, double errorRate, double bitsPerEntry, int hashes, long bits, int log2) {
  /**
   * What the smallest positive rate, 2^-1074, takes: ln(2) * bits per entry = -log2(rate), rounded
   * up.
   */
  static final int MAX_HASHES = 1075;

  private static final double LN2 = 0.693147180559945;
  private static final double LN2_SQUARED = 0.480453013918201;

  /** Above, the arithmetic below could overflow; far above any memory. */
  private static final double MAX_BITS = 0x1p60;

  /**
   * The shape of a new link.
   *
   * @throws ImpossibleLinkException if there is none: no entries, a rate of 0, astronomic size
   */
  static LinkShape of(long entries, double errorRate) {
    double bitsPerEntry = bitsPerEntry(entries, errorRate);
    long bits = Math.max(1, (long) (entries * bitsPerEntry));
    return new LinkShape(
        entries, errorRate, bitsPerEntry, hashes(bitsPerEntry), wholeWords(bits), 0);
  }

  /**
   * The shape of a new link in a chain of old, whose sizes are powers of two, strictly above what
   * is needed; the bits gained are given to further entries.
   *
   * @throws ImpossibleLinkException as above
   */
  static LinkShape ofPowerOfTwo(long entries, double errorRate) {
    double bitsPerEntry = bitsPerEntry(entries, errorRate);
    double needed = entries * bitsPerEntry;
    int log2 =
        Math.getExponent(needed) + 1; // positive: at half a rate an entry needs over 1.4 bits
    long bits = 1L << log2;
    long gained = (long) ((long) (bits - needed) / bitsPerEntry);
    return new LinkShape(
        entries + gained, errorRate, bitsPerEntry, hashes(bitsPerEntry), wholeWords(bits), log2);
  }

  private static double bitsPerEntry(long entries, double errorRate) {
    double bitsPerEntry = -Math.log(errorRate) / LN2_SQUARED;
    boolean possible =
        entries > 0 && errorRate > 0 && errorRate < 1 && entries * bitsPerEntry < MAX_BITS;
    if (!possible) {
      throw new ImpossibleLinkException(entries, errorRate);
    }
    return bitsPerEntry;
  }

  private static int hashes(double bitsPerEntry) {
    return (int) Math.ceil(LN2 * bitsPerEntry);
  }

  private static long wholeWords(long bits) {
    return (bits + 63) & -64L;
  }

  /**
   * The shape of the link that follows this one in a growing chain.
   *
   * @throws ImpossibleLinkException if there is none
   */
  LinkShape next(long expansion, boolean powerOfTwo) {
    boolean overflow = Math.unsignedMultiplyHigh(entries, expansion) != 0;
    long nextEntries = overflow ? 0 : entries * expansion;
    double nextRate = errorRate * 0.5;
    return powerOfTwo ? ofPowerOfTwo(nextEntries, nextRate) : of(nextEntries, nextRate);
  }

  /**
   * The shape that a stored link claims to have, if it does not contradict itself. Numbers are
   * taken as unsigned.
   *
   * @param bytes length of the bit array
   * @throws InvalidFilterException if it does
   */
  public static LinkShape stored(
      long entries,
      double errorRate,
      double bitsPerEntry,
      long hashes,
      long bytes,
      long bits,
      long log2) {
    require(errorRate > 0 && errorRate < 1, "error rate");
    require(bytes > 0 && bytes <= MemoryPool.MAX_BLOCK_BYTES && bits == 8 * bytes, "bits");
    require(log2 >= 0 && log2 <= 62 && (log2 == 0 || bits >= 1L << log2), "power of two");
    require(hashes >= 1 && hashes <= MAX_HASHES, "hash functions");
    require(hashes == Math.ceil(LN2 * bitsPerEntry), "hash functions for the bits per entry");
    return new LinkShape(entries, errorRate, bitsPerEntry, (int) hashes, bits, (int) log2);
  }

  private static void require(boolean consistent, String what) {
    if (!consistent) {
      throw new InvalidFilterException("bad " + what);
    }
  }

  /** Length of the bit array. */
  public long bytes() {
    return bits >>> 3;
  }

  /** What probes are taken modulo. */
  long modulus() {
    return log2 > 0 ? 1L << log2 : bits;
  }
}
