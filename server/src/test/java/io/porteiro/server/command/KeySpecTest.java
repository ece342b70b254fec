package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeySpecTest {
  @Test
  void oneKey_isAtItsIndex() {
    KeySpec spec = KeySpec.one(2, "RO");

    assertThat(spec.lastIndex(5)).isEqualTo(2);
    assertThat(spec.lastIndex(3)).isEqualTo(2);
    assertThat(spec.lastIndex(2)).as("not there").isEqualTo(1);
  }

  @Test
  void keysToTheEnd_endWithTheLastArgument() {
    KeySpec spec = KeySpec.from(1, 2, "RW");

    assertThat(spec.lastIndex(6)).isEqualTo(5);
    assertThat(spec.lastIndex(2)).isEqualTo(1);
    assertThat(spec.lastIndex(1)).as("none").isZero();
  }

  @Test
  void access_isReadOnlyWhereTheFlagsSayIt() {
    assertThat(KeySpec.one(1, "RO", "access").isReadOnly()).isTrue();
    for (String flag : new String[] {"RW", "OW", "RM"}) {
      assertThat(KeySpec.one(1, flag).isReadOnly()).isFalse();
    }
  }
}
