package io.porteiro.server.rdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomDump;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandWriterTest {
  private static final byte[] KEY = bytes("a\nkey");

  private final MemoryPool pool = new MemoryPool(1 << 28);
  private final CommandWriter writer = new CommandWriter();

  @AfterEach
  void close() {
    pool.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The commands, which also take no more than was said they would. */
  private String written(long expireAtMs, Value value) {
    byte[] written = RdbTesting.written(pool, out -> writer.write(out, KEY, expireAtMs, value));
    assertThat(writer.maxBytes(KEY, value)).isGreaterThanOrEqualTo(written.length);
    return new String(written, StandardCharsets.ISO_8859_1);
  }

  @Test
  void write_string_setsIt() {
    assertThat(written(RdbVisitor.NO_EXPIRY, StringValue.copyOf(pool, bytes("v\r\n"))))
        .isEqualTo("*3\r\n$3\r\nSET\r\n$5\r\na\nkey\r\n$3\r\nv\r\n\r\n");
  }

  @Test
  void write_longestNumberThatExpires_setsItAndItsTime() {
    String set = "*3\r\n$3\r\nSET\r\n$5\r\na\nkey\r\n$20\r\n-9223372036854775808\r\n";
    String expire = "*3\r\n$9\r\nPEXPIREAT\r\n$5\r\na\nkey\r\n$19\r\n9223372036854775807\r\n";
    assertThat(written(Long.MAX_VALUE, StringValue.ofNumber(pool, Long.MIN_VALUE)))
        .isEqualTo(set + expire);
  }

  @Test
  void write_filter_loadsItsHeaderAndItsBits() {
    BloomFilter filter = BloomFilter.create(pool, 100, 0.01, 2, false);
    String header = new String(BloomDump.header(filter), StandardCharsets.ISO_8859_1);
    assertThat(written(RdbVisitor.NO_EXPIRY, filter))
        .isEqualTo(
            "*4\r\n$12\r\nBF.LOADCHUNK\r\n$5\r\na\nkey\r\n$1\r\n1\r\n$73\r\n"
                + header
                + "\r\n*4\r\n$12\r\nBF.LOADCHUNK\r\n$5\r\na\nkey\r\n$3\r\n145\r\n$144\r\n"
                + "\0".repeat(144)
                + "\r\n");
  }
}
