package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.ascii;
import static io.porteiro.server.rdb.RdbTesting.assertUsed;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.memory.SnapshotMemory;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RdbFileWriterTest {
  private static final long SEED = 0x417e_0001L;
  private static final int SMALL_BUFFER_BYTES = 64;

  /** Room for the bits of the smallest filters, which are captured as a whole. */
  private static final int LINK_BUFFER_BYTES = 160;

  private final MemoryPool pool = new MemoryPool(1 << 28);
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @TempDir Path directory;

  @AfterEach
  void close() {
    pool.close();
  }

  private interface Content {
    void write(RdbFileWriter writer) throws IOException;
  }

  private byte[] file(long bufferBytes, boolean compress, boolean checksum, Content content)
      throws IOException {
    written.reset();
    RdbSink sink = (address, length) -> written.writeBytes(OffHeap.toArray(address, (int) length));
    try (RdbOutput out = new RdbOutput(pool, bufferBytes, sink)) {
      RdbFileWriter writer = new RdbFileWriter(out, pool, compress);
      writer.header();
      content.write(writer);
      writer.finish(checksum);
      assertThat(out.offset()).isEqualTo(written.size());
    }
    return written.toByteArray();
  }

  private RecordingVisitor read(byte[] file) throws IOException {
    RecordingVisitor visitor = new RecordingVisitor(16);
    RdbTesting.readFile(pool, directory, file, visitor);
    return visitor;
  }

  @Test
  void finish_emptyFile_isTheSmallestThereIs() throws IOException {
    byte[] file = file(SMALL_BUFFER_BYTES, true, true, _ -> {});
    assertThat(file).startsWith(ascii("REDIS0009")).hasSize(9 + 1 + 8);
    assertThat(RdbTesting.withRightChecksum(file)).isEqualTo(file);
    byte[] unsummed = file(SMALL_BUFFER_BYTES, true, false, _ -> {});
    assertThat(unsummed).endsWith(0xff, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(read(unsummed).entries).isEmpty();
  }

  /** Whatever the buffer cuts apart, the bytes are the same. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void entry_everyKindOfValue_readsBackWithAnyBuffer(boolean compress) throws IOException {
    StringValue text = StringValue.copyOf(pool, ascii("text ".repeat(500)));
    StringValue number = StringValue.ofNumber(pool, -1234567890123L);
    BloomFilter filter = filter(5000, 100);
    Content content =
        writer -> {
          writer.auxiliary("redis-ver", "7.4.0");
          writer.selectDatabase(0, 2, 1);
          writer.entry(ascii("t"), RdbVisitor.NO_EXPIRY, text);
          writer.entry(ascii("123"), 4102444800000L, number);
          writer.selectDatabase(9, 1, 0);
          writer.entry(ascii("filter"), RdbVisitor.NO_EXPIRY, filter);
        };
    byte[] file = file(SMALL_BUFFER_BYTES, compress, true, content);
    assertThat(file(RdbOutput.FILE_BUFFER_BYTES, compress, true, content)).isEqualTo(file);
    RecordingVisitor found = read(file);
    assertThat(found.auxiliary).containsEntry("redis-ver", "7.4.0");
    assertThat(found.entries)
        .containsEntry("0:t", "text ".repeat(500))
        .containsEntry("0:123", "-1234567890123")
        .containsEntry(
            "9:filter",
            "bloom 5000/%d, %d links, %d bytes"
                .formatted(filter.capacity(), filter.linkCount(), filter.bitArrayBytes()));
    assertThat(found.expiries).containsEntry("0:123", 4102444800000L);
    text.release();
    number.release();
    filter.release();
    assertUsed(pool, 0, "after release");
  }

  @Test
  void entry_capturedThenChanged_isAsItWas() throws IOException {
    StringValue text = StringValue.copyOf(pool, ascii("before, a string of some length"));
    BloomFilter filter = filter(100, 50);
    SnapshotMemory memory = new SnapshotMemory(pool, Long.MAX_VALUE);
    byte[] expected =
        file(
            LINK_BUFFER_BYTES,
            false,
            true,
            writer -> {
              writer.entry(ascii("t"), RdbVisitor.NO_EXPIRY, text);
              writer.entry(ascii("f"), RdbVisitor.NO_EXPIRY, filter);
            });
    CapturedEntry capturedText = CapturedEntry.of(ascii("t"), RdbVisitor.NO_EXPIRY, text, memory);
    CapturedEntry capturedFilter =
        CapturedEntry.of(ascii("f"), RdbVisitor.NO_EXPIRY, filter, memory);
    OffHeap.copyFrom(ascii("AFTER"), 0, text.edit(), 5);
    addItems(filter, 100, 1000);
    text.release();
    filter.release();
    byte[] file =
        file(
            LINK_BUFFER_BYTES,
            false,
            true,
            writer -> {
              writer.entry(capturedText);
              writer.entry(capturedFilter);
            });
    capturedText.close();
    capturedFilter.close();
    memory.close();
    assertThat(file).isEqualTo(expected);
    assertUsed(pool, 0, "after release");
  }

  /** Keys and strings of all lengths, packed or not, wherever in the buffer they come to lie. */
  @ParameterizedTest
  @ValueSource(longs = {64, 100, 333, 5000, RdbOutput.FILE_BUFFER_BYTES})
  void entry_anyKeyAndString_readsBackWithAnyBuffer(long bufferBytes) throws IOException {
    Map<String, String> expected = new HashMap<>();
    Random random = new Random(SEED);
    byte[] file =
        file(
            bufferBytes,
            true,
            true,
            writer -> {
              for (int i = 0; i < 2000; i++) {
                String key = i + anyText(random) + (random.nextBoolean() ? "" : "x" + i);
                String text = anyText(random);
                StringValue value = StringValue.copyOf(pool, ascii(text));
                writer.entry(ascii(key), RdbVisitor.NO_EXPIRY, value);
                value.release();
                expected.put("0:" + key, text);
              }
            });
    assertThat(read(file).entries).as("seed %x", SEED).isEqualTo(expected);
  }

  private static String anyText(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Integer.toString(random.nextInt());
      case 1 -> "a".repeat(random.nextInt(60));
      case 2 -> Long.toHexString(random.nextLong()).repeat(1 + random.nextInt(3));
      case 3 -> "abcdefgh".repeat(random.nextInt(100)) + random.nextInt();
      default -> "";
    };
  }

  /** Strings beyond the window go through the direct way on both sides. */
  @Test
  void entry_largeValues_readBack() throws IOException {
    byte[] noise = new byte[3_333_333];
    new Random(SEED).nextBytes(noise);
    StringValue large = StringValue.copyOf(pool, noise);
    BloomFilter filter = filter(1000, 5_000_000);
    byte[] file =
        file(
            RdbOutput.FILE_BUFFER_BYTES,
            true,
            true,
            writer -> {
              writer.entry(ascii("large"), RdbVisitor.NO_EXPIRY, large);
              writer.entry(ascii("filter"), RdbVisitor.NO_EXPIRY, filter);
              writer.entry(ascii("small"), RdbVisitor.NO_EXPIRY, StringValue.ofNumber(pool, 7));
            });
    RecordingVisitor found = read(file);
    assertThat(found.entries).containsEntry("0:large", RdbTesting.latin(noise));
    assertThat(found.entries)
        .containsEntry("0:small", "7")
        .containsEntry(
            "0:filter", "bloom 1000/5000000, 1 links, %d bytes".formatted(filter.bitArrayBytes()));
    large.release();
    filter.release();
    assertUsed(pool, 0, "after release");
  }

  /** One value of 3 MB: whoever watches must not have to wait for its end. */
  @Test
  void read_largeValue_tellsProgressWithinIt() throws IOException {
    StringValue large = StringValue.copyOf(pool, new byte[3 << 20]);
    byte[] bytes =
        file(
            RdbOutput.FILE_BUFFER_BYTES,
            false,
            true,
            writer -> writer.entry(ascii("large"), RdbVisitor.NO_EXPIRY, large));
    large.release();
    Path path = Files.write(directory.resolve("progress.rdb"), bytes);
    List<Long> told = new ArrayList<>();
    try (FileChannel file = FileChannel.open(path);
        FileRdbInput in = new FileRdbInput(file, pool, told::add)) {
      new RdbFileReader(in, pool, new RecordingVisitor(1)).read();
    }
    assertThat(told).isSorted().hasSizeBetween(3, 5);
    assertThat(told.getLast()).isLessThanOrEqualTo(bytes.length);
  }

  private BloomFilter filter(int items, long capacity) {
    BloomFilter filter = BloomFilter.create(pool, capacity, 0.01, 2, false);
    addItems(filter, 0, items);
    return filter;
  }

  private void addItems(BloomFilter filter, long from, long to) {
    Random random = new Random(SEED + from);
    while (filter.size() < to) {
      filter.add(random.nextLong(), random.nextLong());
    }
  }
}
