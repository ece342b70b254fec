package io.porteiro.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyWriterTest {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final ReplyWriter writer = new ReplyWriter(allocator);

  @AfterEach
  void nothingIsLeft() {
    writer.close();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  private String drained() {
    StringBuilder text = new StringBuilder();
    writer.drain(buffer -> {
      text.append(buffer.toString(StandardCharsets.ISO_8859_1));
      buffer.release();
    });
    return text.toString();
  }

  private String written(int protocol, Consumer<ReplyWriter> reply) {
    writer.setProtocol(protocol);
    reply.accept(writer);
    return drained();
  }

  private void assertWrites(Consumer<ReplyWriter> reply, String resp2, String resp3) {
    assertThat(written(2, reply)).as("RESP2").isEqualTo(resp2);
    assertThat(written(3, reply)).as("RESP3").isEqualTo(resp3);
  }

  private void assertWrites(Consumer<ReplyWriter> reply, String both) {
    assertWrites(reply, both, both);
  }

  @Test
  void simpleReplies_areAlikeInBothProtocols() {
    assertWrites(ReplyWriter::ok, "+OK\r\n");
    assertWrites(w -> w.simpleString("PONG"), "+PONG\r\n");
    assertWrites(ReplyWriter::pong, "+PONG\r\n");
    assertWrites(w -> w.integer(0), ":0\r\n");
    assertWrites(w -> w.integer(-1), ":-1\r\n");
    assertWrites(w -> w.integer(Long.MIN_VALUE), ":-9223372036854775808\r\n");
    assertWrites(w -> w.bulk(""), "$0\r\n\r\n");
    assertWrites(w -> w.bulk("caf\u00e9"), "$4\r\ncaf\u00e9\r\n");
    assertWrites(w -> w.bulk(new byte[] {0, -1}), "$2\r\n\0\u00ff\r\n");
    assertWrites(w -> w.array(0), "*0\r\n");
    assertWrites(w -> w.array(12), "*12\r\n");
  }

  @Test
  void nulls_differ() {
    assertWrites(ReplyWriter::nullBulk, "$-1\r\n", "_\r\n");
    assertWrites(ReplyWriter::nullArray, "*-1\r\n", "_\r\n");
  }

  @Test
  void typesOfResp3_haveTheirStandInsInResp2() {
    assertWrites(w -> w.map(3), "*6\r\n", "%3\r\n");
    assertWrites(w -> w.set(3), "*3\r\n", "~3\r\n");
    assertWrites(w -> w.push(3), "*3\r\n", ">3\r\n");
    assertWrites(w -> w.bool(true), ":1\r\n", "#t\r\n");
    assertWrites(w -> w.bool(false), ":0\r\n", "#f\r\n");
    assertWrites(w -> w.bools(0b0110, 3), ":0\r\n:1\r\n:1\r\n", "#f\r\n#t\r\n#t\r\n");
    assertWrites(w -> w.bools(-1, 0), "", "");
    assertWrites(w -> w.bools(-1, 64), ":1\r\n".repeat(64), "#t\r\n".repeat(64));
    assertWrites(w -> w.doubleValue(1.5), "$3\r\n1.5\r\n", ",1.5\r\n");
    assertWrites(w -> w.doubleValue(Double.POSITIVE_INFINITY), "$3\r\ninf\r\n", ",inf\r\n");
    assertWrites(
        w -> w.bigNumber("12345678901234567890"),
        "$20\r\n12345678901234567890\r\n",
        "(12345678901234567890\r\n");
    assertWrites(w -> w.verbatim("txt", "a\nb"), "$3\r\na\nb\r\n", "=7\r\ntxt:a\nb\r\n");
    assertWrites(w -> w.verbatim("mkd", new byte[] {'x'}), "$1\r\nx\r\n", "=5\r\nmkd:x\r\n");
    assertWrites(w -> w.bulkError("ERR a\nb"), "-ERR a b\r\n", "!7\r\nERR a\nb\r\n");
  }

  @Test
  void attribute_inResp2_isAProgrammingError() {
    assertThat(written(3, w -> w.attribute(1))).isEqualTo("|1\r\n");
    writer.setProtocol(2);
    assertThatThrownBy(() -> writer.attribute(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void error_lineEnds_cannotBreakTheFrame() {
    assertWrites(w -> w.error("ERR a\r\nb\nc "), "-ERR a  b c \r\n");
    assertWrites(w -> w.error("\r\nERR a\r\n"), "-ERR a\r\n");
  }

  @Test
  void error_listener_hearsEachText() {
    List<String> heard = new ArrayList<>();
    writer.setErrorListener(heard::add);
    written(2, w -> w.bulkError("ERR one"));
    written(3, w -> w.bulkError("ERR two"));
    written(3, w -> w.error("ERR three"));
    assertThat(heard).containsExactly("ERR one", "ERR two", "ERR three");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500, 511, 512, 513, 1023, 65_536, 1_048_575, 1_048_577, 5_000_000})
  void bulk_ofAnyLength_comesOutWhole(int length) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(length + 1L);
      source.fill((byte) 'z');
      writer.bulk(source.address(), length);
    }
    writer.bulk("z".repeat(length));
    writer.bulk("z".repeat(length).getBytes(StandardCharsets.ISO_8859_1));
    String one = "$" + length + "\r\n" + "z".repeat(length) + "\r\n";
    assertThat(drained().equals(one.repeat(3))).isTrue();
  }

  @Test
  void largeReplies_comeInPiecesOfAtMostOneMebibyte() {
    writer.bulk(new byte[10 << 20]);
    List<Integer> pieces = new ArrayList<>();
    writer.drain(buffer -> {
      pieces.add(buffer.readableBytes());
      buffer.release();
    });
    assertThat(pieces).hasSizeBetween(10, 12).allMatch(bytes -> bytes <= 1 << 20);
  }

  @Test
  void pipeline_randomReplies_comeOutInOrder() {
    long seed = 8;
    Random random = new Random(seed);
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      writer.integer(value);
      writer.simpleString("s" + i);
      expected.append(':').append(value).append("\r\n+s").append(i).append("\r\n");
      if (random.nextInt(3000) == 0) {
        assertThat(drained()).as("seed %d", seed).isEqualTo(expected.toString());
        expected.setLength(0);
      }
    }
    assertThat(drained()).as("seed %d", seed).isEqualTo(expected.toString());
  }

  @Test
  void truncateTo_mark_dropsWhatCameAfterIt() {
    writer.ok();
    long mark = writer.mark();
    writer.array(2);
    writer.bulk(new byte[3_000_000]);
    writer.truncateTo(mark);
    assertThat(writer.pendingBytes()).isEqualTo(5);
    writer.integer(1);
    assertThat(drained()).isEqualTo("+OK\r\n:1\r\n");
  }

  @Test
  void truncateTo_insideAFinishedPiece_keepsItsBeginning() {
    writer.bulk(new byte[700]);
    long mark = writer.mark();
    writer.bulk("y".repeat(100_000));
    writer.truncateTo(mark);
    assertThat(drained()).hasSize(708);
  }

  @Test
  void deferred_heads_areFilledInAfterTheirElements() {
    writer.ok();
    int outer = writer.defer();
    writer.integer(1);
    int inner = writer.defer();
    writer.bulk("a");
    writer.deferredSet(inner, 1);
    writer.deferredArray(outer, 2);
    writer.ok();
    assertThat(drained()).isEqualTo("+OK\r\n*2\r\n:1\r\n*1\r\n$1\r\na\r\n+OK\r\n");
    writer.setProtocol(3);
    int map = writer.defer();
    writer.deferredMap(map, 123);
    assertThat(drained()).isEqualTo("%123\r\n");
    writer.setProtocol(2);
    map = writer.defer();
    writer.deferredMap(map, 123);
    assertThat(drained()).isEqualTo("*246\r\n");
  }

  /** Thousands of nested replies as of COMMAND DOCS must not each cost a piece. */
  @Test
  void deferred_manyHeads_shareTheirPieces() {
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      int place = writer.defer();
      writer.integer(i);
      writer.deferredArray(place, 1);
      expected.append("*1\r\n:").append(i).append("\r\n");
    }
    assertThat(allocator.metric().usedDirectMemory()).isLessThan(300_000);
    assertThat(drained()).isEqualTo(expected.toString());
  }

  @Test
  void discarding_writer_dropsAllUntilItIsSwitchedBack() {
    writer.ok();
    writer.setDiscarding(true);
    writer.bulk(new byte[3_000_000]);
    writer.deferredArray(writer.defer(), 1);
    writer.truncateTo(writer.mark());
    assertThat(writer.pendingBytes()).isEqualTo(5);
    assertThat(drained()).isEqualTo("+OK\r\n");
    writer.error("ERR x");
    writer.setDiscarding(false);
    writer.integer(7);
    assertThat(drained()).isEqualTo(":7\r\n");
  }

  @Test
  void pendingBytes_whatIsWritten_isCountedUntilDrained() {
    writer.bulk("abc");
    writer.bulk(new byte[5000]);
    assertThat(writer.pendingBytes()).isEqualTo(9 + 5009);
    drained();
    assertThat(writer.pendingBytes()).isZero();
  }

  @Test
  void close_withoutDraining_releasesAll() {
    writer.bulk(new byte[3_000_000]);
    writer.defer();
    List<ByteBuf> none = new ArrayList<>();
    writer.close();
    writer.drain(none::add);
    assertThat(none).isEmpty();
  }
}
