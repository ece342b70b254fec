package io.porteiro.server.structure.string;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StringValueTest {
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);

  /** For what is handed in, which no limit or count of the other pool shall notice. */
  private final MemoryPool arguments = new MemoryPool(Long.MAX_VALUE);

  @AfterEach
  void close() {
    pool.close();
    arguments.close();
  }

  @Test
  void copyOf_text_keepsTheBytes() {
    StringValue value = string("hello");
    assertThat(text(value)).isEqualTo("hello");
    assertThat(value.length()).isEqualTo(5);
    assertThat(OffHeap.toArray(value.address(), 5)).asString().isEqualTo("hello");
  }

  @Test
  void copyOf_canonicalNumber_isKeptAsNumber() {
    StringValue value = string("-12345");
    assertThat(value.isNumber()).isTrue();
    assertThat(value.number()).isEqualTo(-12345);
    assertThat(value.length()).isEqualTo(6);
    assertThat(text(value)).isEqualTo("-12345");
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void textOf_canonicalNumber_isKeptAsText() {
    StringValue value = StringValue.textOf(pool, "12".getBytes(StandardCharsets.US_ASCII));
    assertThat(value.encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(text(value)).isEqualTo("12");
  }

  @Test
  void canBecome_anythingElseThanTextOfTheSameLength_isRefused() {
    StringValue value = string("hello");
    assertThat(canBecome(value, "world")).isTrue();
    assertThat(canBecome(value, "worlds")).isFalse();
    assertThat(canBecome(value, "12345")).isFalse(); // would be a number
    assertThat(canBecome(string("12"), "ab")).isFalse(); // has no bytes
    StringValue withSlack = string("hello");
    withSlack.reserve(100, 0);
    assertThat(canBecome(withSlack, "world")).isFalse();
    Block held = value.block(); // by a snapshot, or a reply that is being sent
    held.retain();
    assertThat(canBecome(value, "world")).isFalse();
    held.release();
    assertThat(canBecome(value, "world")).isTrue();
  }

  /** A string that was edited is raw; one that was set anew is not. */
  @Test
  void overwrite_anEditedString_isAsIfSet() {
    StringValue value = string("hello");
    setRange(value, 0, "j");
    assertThat(value.encoding()).isEqualTo(StringEncoding.RAW);
    Block before = value.block();
    overwrite(value, "world");
    assertThat(text(value)).isEqualTo("world");
    assertThat(value.encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(value.block()).isSameAs(before);
  }

  @Test
  void encoding_ofValuesAsSet_dependsOnLengthAndDigits() {
    assertThat(string("").encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(string("12").encoding()).isEqualTo(StringEncoding.INT);
    assertThat(string("007").encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(string("x".repeat(44)).encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(string("x".repeat(45)).encoding()).isEqualTo(StringEncoding.RAW);
    assertThat(StringValue.zeros(pool, 1).encoding()).isEqualTo(StringEncoding.RAW);
  }

  @Test
  void append_toNumber_isRawTextEvenWhereItLooksLikeANumber() {
    StringValue value = string("12");
    append(value, "3");
    assertThat(text(value)).isEqualTo("123");
    assertThat(value.encoding()).isEqualTo(StringEncoding.RAW);
  }

  @Test
  void setRange_withinShortString_makesItRaw() {
    StringValue value = string("hello");
    setRange(value, 1, "E");
    assertThat(text(value)).isEqualTo("hEllo");
    assertThat(value.encoding()).isEqualTo(StringEncoding.RAW);
  }

  @Test
  void setRange_behindTheEnd_fillsTheGapWithZerosEvenOverOldSlack() {
    StringValue value = string("abcdefgh");
    append(value, "i");
    value.setLength(2);
    setRange(value, 5, "x");
    assertThat(text(value)).isEqualTo("ab\0\0\0x");
  }

  @Test
  void setNumber_onText_givesTheBlockBack() {
    StringValue value = string("hello");
    value.setNumber(7);
    assertThat(value.encoding()).isEqualTo(StringEncoding.INT);
    assertThat(text(value)).isEqualTo("7");
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void append_manyTimes_movesSeldom() {
    StringValue value = StringValue.zeros(pool, 0);
    int moves = 0;
    long size = 0;
    for (int i = 0; i < 10_000; i++) {
      append(value, "x");
      moves += value.block().size() == size ? 0 : 1;
      size = value.block().size();
    }
    assertThat(value.length()).isEqualTo(10_000);
    assertThat(moves).isLessThan(20);
  }

  @Test
  void reserve_pastOneMebibyte_addsAtMostOneMebibyteOfSlack() {
    StringValue value = StringValue.zeros(pool, 3 << 20);
    append(value, "x");
    assertThat(value.block().size()).isEqualTo((4 << 20) + 1);
  }

  @Test
  void trim_afterGrowth_givesTheSlackBack() {
    StringValue value = string("hello");
    append(value, "!");
    value.trim();
    assertThat(value.block().size()).isEqualTo(6);
    assertThat(text(value)).isEqualTo("hello!");
  }

  @Test
  void adopt_block_takesItOverWithoutCopy() {
    Block block = pool.allocate(100);
    OffHeap.fill(block.address(), 100, (byte) 'a');
    StringValue value = StringValue.adopt(pool, block, 95);
    assertThat(value.block()).isSameAs(block);
    assertThat(text(value)).isEqualTo("a".repeat(95));
    assertThat(block.size()).isEqualTo(100);
  }

  @Test
  void adopt_blockWithMuchSlack_cutsIt() {
    Block block = pool.allocate(1000);
    StringValue value = StringValue.adopt(pool, block, 500);
    assertThat(value.block().size()).isEqualTo(500);
    assertThat(pool.usedBytes()).isEqualTo(500);
  }

  @Test
  void adopt_blockHoldingANumber_keepsTheNumberOnly() {
    Block block = pool.allocate(2);
    OffHeap.fill(block.address(), 2, (byte) '7');
    assertThat(StringValue.adopt(pool, block, 2).number()).isEqualTo(77);
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void change_whileTheBlockIsHeldBySomeoneElse_leavesTheirBytes() {
    StringValue value = string("hello");
    Block held = value.block();
    held.retain();
    setRange(value, 0, "J");
    append(value, "!");
    assertThat(text(value)).isEqualTo("Jello!");
    assertThat(OffHeap.toArray(held.address(), 5)).asString().isEqualTo("hello");
    held.release();
  }

  @Test
  void copy_sharesNothingAndKeepsTheEncoding() {
    StringValue value = string("hello");
    append(value, "!");
    StringValue copy = value.copy();
    setRange(value, 0, "J");
    assertThat(text(copy)).isEqualTo("hello!");
    assertThat(copy.encoding()).isEqualTo(StringEncoding.RAW);
    assertThat(string("5").copy().number()).isEqualTo(5);
  }

  @Test
  void attachment_survivesEditKeepingAttachmentOnly() {
    StringValue value = string("x".repeat(64));
    value.attach(8);
    OffHeap.putLong(value.attachmentAddress(), 42);
    OffHeap.putByte(value.editKeepingAttachment(), (byte) 'y');
    assertThat(value.attachmentBytes()).isEqualTo(8);
    assertThat(OffHeap.getLong(value.attachmentAddress())).isEqualTo(42);
    value.edit();
    assertThat(value.attachmentBytes()).isZero();
  }

  @Test
  void attachment_isDroppedByEveryOtherChange() {
    for (Change change : Change.values()) {
      StringValue value = string("x".repeat(64));
      value.attach(8);
      change.to(value, this);
      assertThat(value.attachmentBytes()).as(change.name()).isZero();
    }
  }

  private enum Change {
    APPEND {
      @Override
      void to(StringValue value, StringValueTest test) {
        test.append(value, "a");
      }
    },
    SET_RANGE {
      @Override
      void to(StringValue value, StringValueTest test) {
        test.setRange(value, 3, "a");
      }
    },
    SET_LENGTH {
      @Override
      void to(StringValue value, StringValueTest test) {
        value.setLength(10);
      }
    },
    SET_NUMBER {
      @Override
      void to(StringValue value, StringValueTest test) {
        value.setNumber(10);
      }
    };

    abstract void to(StringValue value, StringValueTest test);
  }

  @Test
  void attachment_ofABlockHeldBySomeoneElse_moves() {
    StringValue value = string("x".repeat(64));
    value.attach(8);
    OffHeap.putLong(value.attachmentAddress(), 42);
    Block held = value.block();
    held.retain();
    value.editKeepingAttachment();
    assertThat(value.block()).isNotSameAs(held);
    assertThat(OffHeap.getLong(value.attachmentAddress())).isEqualTo(42);
    held.release();
  }

  @Test
  void growth_pastTheMemoryLimit_changesNothing() {
    StringValue value = string("hello");
    value.attach(8);
    pool.setLimitBytes(pool.usedBytes() + 10);
    assertThatThrownBy(() -> append(value, "x".repeat(100)))
        .isInstanceOf(MemoryLimitException.class);
    assertThat(text(value)).isEqualTo("hello");
    assertThat(value.encoding()).isEqualTo(StringEncoding.EMBSTR);
    assertThat(value.attachmentBytes()).isEqualTo(8);
  }

  @Test
  void release_ofAnyValue_leavesNothingInUse() {
    StringValue value = string("hello");
    append(value, "x".repeat(5000));
    value.attach(100);
    value.release();
    string("12").release();
    assertThat(pool.usedBytes()).isZero();
  }

  @Test
  void randomChanges_areThoseOfAByteArray() {
    long seed = 44;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      String start = random.nextBoolean() ? "123" : "some text";
      StringValue value = string(start);
      byte[] model = start.getBytes(StandardCharsets.ISO_8859_1);
      for (int i = 0; i < 30; i++) {
        int offset = random.nextInt(model.length + 100);
        String change = "abc".repeat(1 + random.nextInt(40));
        model = overwrite(model, offset, change);
        setRange(value, offset, change);
        assertThat(value.toArray()).as("seed %d, round %d", seed, round).isEqualTo(model);
      }
      value.release();
    }
    assertThat(pool.usedBytes()).isZero();
  }

  private static byte[] overwrite(byte[] bytes, int offset, String change) {
    byte[] result = Arrays.copyOf(bytes, Math.max(bytes.length, offset + change.length()));
    System.arraycopy(
        change.getBytes(StandardCharsets.ISO_8859_1), 0, result, offset, change.length());
    return result;
  }

  private StringValue string(String text) {
    return StringValue.copyOf(pool, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void append(StringValue value, String text) {
    withBytes(text, address -> value.append(address, text.length()));
  }

  private void setRange(StringValue value, long offset, String text) {
    withBytes(text, address -> value.setRange(offset, address, text.length()));
  }

  private void overwrite(StringValue value, String text) {
    withBytes(text, value::overwrite);
  }

  private boolean canBecome(StringValue value, String text) {
    AtomicBoolean can = new AtomicBoolean();
    withBytes(text, address -> can.set(value.canBecome(address, text.length())));
    return can.get();
  }

  private void withBytes(String text, LongConsumer use) {
    Block block = arguments.allocate(text.length());
    OffHeap.copyFrom(text.getBytes(StandardCharsets.ISO_8859_1), 0, block.address(), text.length());
    use.accept(block.address());
    block.release();
  }

  private static String text(StringValue value) {
    return new String(value.toArray(), StandardCharsets.ISO_8859_1);
  }
}
