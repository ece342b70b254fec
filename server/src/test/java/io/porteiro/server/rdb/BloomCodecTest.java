package io.porteiro.server.rdb;

import static io.porteiro.server.rdb.RdbTesting.assertUsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import io.porteiro.server.structure.bloom.LinkShape;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Encodings are put together here item by item; what the module wrote is in the golden files. */
class BloomCodecTest {
  private static final double ERROR_RATE = 0.005;
  private static final double BITS_PER_ENTRY = -Math.log(ERROR_RATE) / 0.480453013918201;
  private static final int HASHES = 8;
  private static final byte[] BITS = new byte[16];

  static {
    BITS[0] = 1;
    BITS[15] = (byte) 0x80;
  }

  private final MemoryPool pool = new MemoryPool(1 << 20);

  @AfterEach
  void close() {
    pool.close();
  }

  /** A filter of one link as it would be stored; the fields that a version lacks are left out. */
  private static final class Stored {
    final int version;
    long size = 2;
    long links = 1;
    long options = 5;
    long expansion = 4;
    long entries = 10;
    double errorRate = ERROR_RATE;
    long hashes = HASHES;
    double bitsPerEntry = BITS_PER_ENTRY;
    long bits = 8L * BITS.length;
    long log2 = 0;
    long linkSize = 2;

    Stored(int version) {
      this.version = version;
    }

    void write(RdbOutput out) throws IOException {
      ModuleItem.writeUnsigned(out, size);
      ModuleItem.writeUnsigned(out, links);
      if (version >= 2) {
        ModuleItem.writeUnsigned(out, options);
      }
      if (version >= 4) {
        ModuleItem.writeUnsigned(out, expansion);
      }
      writeLink(out);
      ModuleItem.writeEof(out);
    }

    private void writeLink(RdbOutput out) throws IOException {
      ModuleItem.writeUnsigned(out, entries);
      ModuleItem.writeDouble(out, errorRate);
      ModuleItem.writeUnsigned(out, hashes);
      ModuleItem.writeDouble(out, bitsPerEntry);
      if (version >= 1) {
        ModuleItem.writeUnsigned(out, bits);
        ModuleItem.writeUnsigned(out, log2);
      }
      LengthCode.write(out, ModuleItem.STRING);
      LengthCode.write(out, BITS.length);
      out.write(BITS);
      ModuleItem.writeUnsigned(out, linkSize);
    }
  }

  private BloomFilter read(Stored stored) throws IOException {
    byte[] bytes = RdbTesting.written(pool, stored::write);
    return RdbTesting.read(pool, bytes, in -> BloomCodec.read(in, pool, stored.version));
  }

  private void assertRefused(Stored stored) {
    assertThatThrownBy(() -> read(stored)).isInstanceOf(RdbFormatException.class);
    assertUsed(pool, 0, "refused filter");
  }

  /** What a version does not say has the value of its time: 32-bit hashes, growth by 2. */
  @ParameterizedTest
  @CsvSource({"4, 5, 4", "3, 5, 2", "2, 5, 2", "1, 0, 2"})
  void read_everyVersion_fillsInWhatItLacks(int version, int options, long expansion)
      throws IOException {
    BloomFilter filter = read(new Stored(version));
    assertThat(filter.options()).isEqualTo(options);
    assertThat(filter.expansion()).isEqualTo(expansion);
    assertThat(filter.hashWidth()).isEqualTo(version >= 2 ? HashWidth.BITS_64 : HashWidth.BITS_32);
    assertThat(filter.size()).isEqualTo(2);
    assertThat(filter.link(0).shape())
        .isEqualTo(new LinkShape(10, ERROR_RATE, BITS_PER_ENTRY, HASHES, 128, 0));
    assertThat(OffHeap.toArray(filter.link(0).block().address(), BITS.length)).isEqualTo(BITS);
    filter.release();
  }

  /** The oldest version has no number of bits: it follows from the entries. */
  @Test
  void read_oldestVersion_takesBitsFromTheEntries() throws IOException {
    Stored stored = new Stored(0);
    stored.bitsPerEntry = 12.8;
    stored.hashes = 9;
    BloomFilter filter = read(stored);
    assertThat(filter.link(0).shape().bits()).isEqualTo(128);
    assertThat(filter.hashWidth()).isEqualTo(HashWidth.BITS_32);
    filter.release();
    stored.entries = 11;
    assertRefused(stored);
  }

  @Test
  void read_sizeThatIsNotTheSumOfItsLinks_isKept() throws IOException {
    Stored stored = new Stored(4);
    stored.size = 77;
    BloomFilter filter = read(stored);
    assertThat(filter.size()).isEqualTo(77);
    assertThat(filter.link(0).size()).isEqualTo(2);
    filter.release();
  }

  @Test
  void read_unknownVersion_isRefused() {
    assertThatThrownBy(() -> read(new Stored(5))).hasMessageContaining("version 5");
  }

  /** The module took 21 GB for 2^32 links. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2, 100, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, -1})
  void read_linksThatAreNotThere_isRefused(long links) {
    Stored stored = new Stored(4);
    stored.links = links;
    assertRefused(stored);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1, -0.5, 2, Double.NaN, Double.POSITIVE_INFINITY})
  void read_errorRateOutOfRange_isRefused(double errorRate) {
    Stored stored = new Stored(4);
    stored.errorRate = errorRate;
    assertRefused(stored);
  }

  @Test
  void read_contradictions_areRefused() {
    Stored hashes = new Stored(4);
    hashes.hashes = HASHES + 1;
    assertRefused(hashes);
    Stored bits = new Stored(4);
    bits.bits = 64;
    assertRefused(bits);
    Stored log2 = new Stored(4);
    log2.log2 = 8;
    assertRefused(log2);
    Stored options = new Stored(4);
    options.options = 16;
    assertRefused(options);
    Stored expansion = new Stored(4);
    expansion.expansion = 1L << 32;
    assertRefused(expansion);
    Stored notANumber = new Stored(4);
    notANumber.bitsPerEntry = Double.NaN;
    assertRefused(notANumber);
  }
}
