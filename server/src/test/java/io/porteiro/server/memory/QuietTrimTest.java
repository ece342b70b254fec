package io.porteiro.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuietTrimTest {
  private long commands;
  private long usedBytes = QuietTrim.MAX_USED_BYTES;
  private int trims;
  private final QuietTrim trim = new QuietTrim(() -> commands, () -> usedBytes, () -> trims++);

  @Test
  void quietServer_trimsTwiceAndThenNotAgain() {
    assertThat(trimsIn(0)).isEqualTo(1);
    assertThat(trimsIn(QuietTrim.FEW_COMMANDS - 1)).isEqualTo(1);
    assertThat(trimsIn(0)).isZero();
    assertThat(trimsIn(0)).isZero();
  }

  /** Whoever sends commands would wait for it. */
  @Test
  void busyServer_doesNotTrimUntilItIsQuietAgain() {
    assertThat(trimsIn(0)).isEqualTo(1);
    assertThat(trimsIn(QuietTrim.FEW_COMMANDS)).isZero();
    assertThat(trimsIn(QuietTrim.FEW_COMMANDS)).isZero();
    assertThat(trimsIn(0)).isEqualTo(1);
    assertThat(trimsIn(0)).isEqualTo(1);
    assertThat(trimsIn(0)).isZero();
  }

  @Test
  void muchData_isNotTrimmedUntilItIsGone() {
    usedBytes = QuietTrim.MAX_USED_BYTES + 1;
    assertThat(trimsIn(0)).isZero();
    usedBytes = 0;
    assertThat(trimsIn(0)).isEqualTo(1);
  }

  private int trimsIn(long commandsInInterval) {
    int before = trims;
    commands += commandsInInterval;
    trim.run();
    return trims - before;
  }
}
