package io.porteiro.it.fuzz;

import java.util.SplittableRandom;

/** Damages byte strings a little, in the ways that parsers trip over. */
public final class Mutator {
  /** Bytes that are edges of length codes, opcodes and numbers. */
  private static final int[] EDGES = {0, 1, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xbf, 0xc0, 0xc3, 0xff};

  private final SplittableRandom random;

  public Mutator(SplittableRandom random) {
    this.random = random;
  }

  /** {@code bytes} with one to four changes. */
  public String mutate(String bytes) {
    StringBuilder mutated = new StringBuilder(bytes);
    for (int changes = random.nextInt(1, 5); changes > 0 && !mutated.isEmpty(); changes--) {
      change(mutated, random.nextInt(mutated.length()));
    }
    return mutated.toString();
  }

  private void change(StringBuilder bytes, int at) {
    switch (random.nextInt(8)) {
      case 0, 1 -> bytes.setCharAt(at, (char) (bytes.charAt(at) ^ 1 << random.nextInt(8)));
      case 2 -> bytes.setCharAt(at, (char) random.nextInt(256));
      case 3 -> bytes.setCharAt(at, (char) EDGES[random.nextInt(EDGES.length)]);
      case 4 -> bytes.insert(at, (char) random.nextInt(256));
      case 5 -> bytes.deleteCharAt(at);
      case 6 -> bytes.setLength(at);
      default -> overwrite(bytes, at, extremeNumber());
    }
  }

  /** Eight bytes that read as an extreme number, in either byte order. */
  private String extremeNumber() {
    return switch (random.nextInt(4)) {
      case 0 -> "\u00ff".repeat(8);
      case 1 -> "\u00ff".repeat(7) + "\u007f";
      case 2 -> "\0".repeat(8);
      default -> "\0".repeat(random.nextInt(8)) + "\u0001";
    };
  }

  private static void overwrite(StringBuilder bytes, int at, String with) {
    int length = Math.min(with.length(), bytes.length() - at);
    bytes.replace(at, at + length, with.substring(0, length));
  }
}
