package io.porteiro.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replies that are copied only when they are sent. */
class LastingReplyTest {
  private static final int MIB = 1 << 20;

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final ReplyWriter writer = new ReplyWriter(allocator);
  private final Arena arena = Arena.ofShared();
  private final List<Lent> lent = new ArrayList<>();
  private final StringBuilder sent = new StringBuilder();

  /** Bytes of one letter, and how often they were given back. */
  private static final class Lent implements LastingBytes {
    private final MemorySegment memory;
    private int releases;

    Lent(MemorySegment memory) {
      this.memory = memory;
    }

    @Override
    public long address() {
      return memory.address();
    }

    @Override
    public long length() {
      return memory.byteSize();
    }

    @Override
    public void release() {
      releases++;
    }
  }

  private Lent lend(int length, char letter) {
    Lent bytes = new Lent(arena.allocate(length).fill((byte) letter));
    lent.add(bytes);
    writer.bulk(bytes);
    return bytes;
  }

  private static String bulk(int length, char letter) {
    return "$" + length + "\r\n" + String.valueOf(letter).repeat(length) + "\r\n";
  }

  private boolean drain(long maxBytes) {
    return writer.drain(
        buffer -> {
          sent.append(buffer.toString(StandardCharsets.ISO_8859_1));
          buffer.release();
        },
        maxBytes);
  }

  @AfterEach
  void everythingIsGivenBackOnce() {
    writer.close();
    assertThat(lent).allMatch(bytes -> bytes.releases == 1);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    arena.close();
  }

  @Test
  void largeReply_drainedInSteps_copiesNoMoreThanAStep() {
    Lent bytes = lend(10 * MIB, 'x');
    writer.ok();
    assertThat(writer.pendingBytes()).isEqualTo(bulk(10 * MIB, 'x').length() + 5);
    assertThat(writer.heldBytes()).isLessThan(100);
    assertThat(allocator.metric().usedDirectMemory()).isLessThan(MIB);
    int steps = 1;
    while (!drain(2 * MIB)) {
      assertThat(sent.length()).isBetween(steps * 2 * MIB, steps * 2 * MIB + MIB);
      assertThat(bytes.releases).isZero();
      steps++;
    }
    assertThat(steps).isBetween(5, 6);
    assertThat(sent.toString().equals(bulk(10 * MIB, 'x') + "+OK\r\n")).isTrue();
    assertThat(writer.pendingBytes()).isZero();
  }

  @Test
  void randomReplies_drainedInRandomSteps_comeOutInOrder() {
    long seed = 11;
    Random random = new Random(seed);
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      int length = 1 + random.nextInt(3000);
      char letter = (char) ('a' + random.nextInt(26));
      if (random.nextInt(3) == 0) {
        lend(length, letter);
      } else {
        writer.bulk(String.valueOf(letter).repeat(length));
      }
      expected.append(bulk(length, letter));
      if (random.nextInt(4) == 0) {
        drain(random.nextInt(5000));
      }
    }
    drain(Long.MAX_VALUE);
    assertThat(sent.toString().contentEquals(expected)).as("seed " + seed).isTrue();
  }

  @Test
  void headThatWasDeferred_beforeLastingBytes_isFilled() {
    int place = writer.defer();
    lend(2 * MIB, 'y');
    writer.deferredArray(place, 1);
    while (!drain(MIB)) {
      // further steps
    }
    assertThat(sent.toString().equals("*1\r\n" + bulk(2 * MIB, 'y'))).isTrue();
  }

  @Test
  void truncation_toBeforeTheReply_givesTheBytesBack() {
    writer.ok();
    long mark = writer.mark();
    Lent bytes = lend(2 * MIB, 'z');
    writer.ok();
    writer.truncateTo(mark);
    assertThat(bytes.releases).isOne();
    assertThat(writer.pendingBytes()).isEqualTo(5);
    assertThat(drain(MIB)).isTrue();
    assertThat(sent.toString()).isEqualTo("+OK\r\n");
  }

  @Test
  void discardingWriter_givesTheBytesBackAtOnce() {
    writer.setDiscarding(true);
    assertThat(lend(2 * MIB, 'z').releases).isOne();
    assertThat(drain(MIB)).isTrue();
    assertThat(sent).isEmpty();
  }

  @Test
  void close_inTheMiddle_givesTheBytesBack() {
    lend(5 * MIB, 'z');
    lend(5 * MIB, 'z');
    assertThat(drain(MIB)).isFalse();
    writer.close();
  }
}
