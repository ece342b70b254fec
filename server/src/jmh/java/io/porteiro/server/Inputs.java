package io.porteiro.server;

import io.porteiro.server.memory.OffHeap;

/** What benchmarks are fed with: as good as random, and the same in every run. */
public final class Inputs {
  private static final long SEED = 0x5EED_0F_BE7C4L;
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private Inputs() {}

  /** Number {@code index} of a sequence of random numbers (SplitMix64); takes about 1 ns. */
  public static long random(long index) {
    long z = SEED + index * STEP;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Fills memory with random bytes. */
  public static void fill(long address, long bytes) {
    long words = bytes / Long.BYTES;
    for (long i = 0; i < words; i++) {
      OffHeap.putLong(address + i * Long.BYTES, random(i));
    }
    for (long i = words * Long.BYTES; i < bytes; i++) {
      OffHeap.putByte(address + i, (byte) random(i));
    }
  }

  /** Requests in a row, each a command and its arguments, as clients send them. */
  public static String requests(String[]... requests) {
    StringBuilder text = new StringBuilder();
    for (String[] words : requests) {
      text.append('*').append(words.length).append("\r\n");
      for (String word : words) {
        text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
    }
    return text.toString();
  }

  /** An item of 16 bytes. */
  public static String item(long index) {
    return String.format("item:%011d", index);
  }
}
