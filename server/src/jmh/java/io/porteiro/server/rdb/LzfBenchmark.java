package io.porteiro.server.rdb;

import io.porteiro.server.Inputs;
import io.porteiro.server.Microbenchmark;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Packing and unpacking a string of 16 KiB as files hold it: of words, of digits (short copies) and
 * of one byte (long ones); and packing random bytes, which is tried in vain. The 16384 bytes
 * divided by the figure are GB/s. To be compared with the disk, which packing saves writing to: a
 * file is written at 0.2 GB/s here, so packing words slower than that makes a save slower.
 */
public class LzfBenchmark extends Microbenchmark {
  private static final int BYTES = 16 << 10;
  private static final int WORDS = 500;

  /** Strings from which nothing can be saved are kept as they are. */
  private static final int LIMIT = BYTES - 4;

  /** A string and its two other forms. */
  @State(Scope.Thread)
  public static class Forms {
    final Block plain;
    final Block packed;
    final Block unpacked;
    private final MemoryPool pool = new MemoryPool(1 << 20);
    private final LzfEncoder encoder = new LzfEncoder();

    Forms() {
      plain = pool.allocate(BYTES);
      packed = pool.allocate(BYTES);
      unpacked = pool.allocate(BYTES);
    }

    final long encode() {
      return encoder.encode(plain.address(), BYTES, packed.address(), LIMIT);
    }

    @TearDown
    public void close() {
      pool.close();
    }
  }

  /** A string that gets shorter. */
  @State(Scope.Thread)
  public static class Packable extends Forms {
    @Param({"words", "digits", "zeros"})
    public String content;

    private long packedBytes;

    @Setup
    public void pack() {
      switch (content) {
        case "words" -> write(words(), plain);
        case "digits" -> write(digits(), plain);
        case "zeros" -> OffHeap.fill(plain.address(), BYTES, (byte) 0);
        default -> throw new IllegalArgumentException(content);
      }
      packedBytes = encode();
      if (packedBytes == 0) {
        throw new IllegalStateException("not packable: " + content);
      }
    }
  }

  /** A string that does not. */
  @State(Scope.Thread)
  public static class Noise extends Forms {
    @Setup
    public void fill() {
      Inputs.fill(plain.address(), BYTES);
    }
  }

  private static void write(String text, Block block) {
    OffHeap.copyFrom(text.getBytes(StandardCharsets.ISO_8859_1), 0, block.address(), BYTES);
  }

  private static String words() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < BYTES; i++) {
      text.append(word(Math.floorMod(Inputs.random(i), WORDS))).append(' ');
    }
    return text.toString();
  }

  /** Of 3 to 10 letters. */
  private static String word(int index) {
    long random = Inputs.random(~index);
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < 3 + (index & 7); i++) {
      word.append((char) ('a' + (random >>> (4 * i) & 15)));
    }
    return word.toString();
  }

  private static String digits() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < BYTES; i++) {
      text.append(Long.toUnsignedString(Inputs.random(i)));
    }
    return text.toString();
  }

  @Benchmark
  public long encode(Packable string) {
    return string.encode();
  }

  @Benchmark
  public long encodeInVain(Noise string) {
    return string.encode();
  }

  @Benchmark
  public byte decode(Packable string) throws IOException {
    MemoryRdbInput in = new MemoryRdbInput(string.packed.address(), string.packedBytes);
    LzfDecoder.decode(in, string.packedBytes, string.unpacked.address(), BYTES);
    return OffHeap.getByte(string.unpacked.address() + BYTES - 1);
  }
}
