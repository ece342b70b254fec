package io.porteiro.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.hash.Crc64;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Encodings as arrays, for tests. */
final class RdbTesting {
  private static final int CHECKSUM_BYTES = 8;
  private static final long FREEING_WAIT_NANOS = 5_000_000_000L;

  private RdbTesting() {}

  /** Writes or reads. */
  interface Writing {
    void to(RdbOutput out) throws IOException;
  }

  interface Reading<T> {
    T from(RdbInput in) throws IOException;
  }

  static byte[] written(MemoryPool pool, Writing writing) {
    try (RdbOutput out = RdbOutput.inMemory(pool, 1 << 20)) {
      writing.to(out);
      Block block = out.take();
      byte[] bytes = OffHeap.toArray(block.address(), (int) out.offset());
      block.release();
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static <T> T read(MemoryPool pool, byte[] bytes, Reading<T> reading) throws IOException {
    Block block = pool.allocate(bytes.length);
    try {
      OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
      return reading.from(new MemoryRdbInput(block.address(), bytes.length));
    } finally {
      block.release();
    }
  }

  /** Reads a file with these bytes, made in the directory. */
  static void readFile(MemoryPool pool, Path directory, byte[] bytes, RdbVisitor visitor)
      throws IOException {
    Path path = directory.resolve("test.rdb");
    Files.write(path, bytes);
    try (FileChannel file = FileChannel.open(path);
        FileRdbInput in = new FileRdbInput(file, pool, _ -> {})) {
      new RdbFileReader(in, pool, visitor).read();
    }
  }

  /** The same bytes with the checksum at their end made right. */
  static byte[] withRightChecksum(byte[] bytes) {
    byte[] repaired = bytes.clone();
    int body = bytes.length - CHECKSUM_BYTES;
    ByteBuffer.wrap(repaired)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(body, Crc64.update(0, MemorySegment.ofArray(bytes), 0, body));
    return repaired;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  static byte[] joined(byte[]... parts) {
    byte[] all = new byte[0];
    for (byte[] part : parts) {
      int before = all.length;
      all = Arrays.copyOf(all, before + part.length);
      System.arraycopy(part, 0, all, before, part.length);
    }
    return all;
  }

  /** Large blocks are freed in the background, so this waits a while. */
  static void assertUsed(MemoryPool pool, long expected, String description) {
    long deadline = System.nanoTime() + FREEING_WAIT_NANOS;
    while (pool.usedBytes() != expected && System.nanoTime() - deadline < 0) {
      Thread.onSpinWait();
    }
    assertThat(pool.usedBytes()).as("%s: used memory", description).isEqualTo(expected);
  }
}
