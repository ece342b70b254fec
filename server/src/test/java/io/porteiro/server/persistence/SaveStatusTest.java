package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.persistence.SnapshotFailure.Kind;
import org.junit.jupiter.api.Test;

class SaveStatusTest {
  private final SaveStatus status = new SaveStatus(1000);

  @Test
  void backgroundFailed_couldNotWrite_isUnwritableUntilASaveSucceeds() {
    status.backgroundStarted(1000);
    status.backgroundFailed(Kind.FAILED, 1003);
    assertThat(status.isLastBackgroundOk()).isFalse();
    assertThat(status.isUnwritable()).isTrue();
    assertThat(status.lastBackgroundDurationSeconds()).isEqualTo(3);
    status.saved(7, 1010);
    assertThat(status.isLastBackgroundOk()).isTrue();
    assertThat(status.isUnwritable()).isFalse();
  }

  /** Writes are refused for disks, not for memory. */
  @Test
  void backgroundFailed_tooManyChanges_isToldButDoesNotMakeItUnwritable() {
    status.backgroundFailed(Kind.TOO_MANY_CHANGES, 1003);
    assertThat(status.isLastBackgroundOk()).isFalse();
    assertThat(status.isUnwritable()).isFalse();
    status.backgroundFailed(Kind.FAILED, 1004);
    status.backgroundFailed(Kind.TOO_MANY_CHANGES, 1005);
    assertThat(status.isUnwritable()).isTrue();
  }

  @Test
  void backgroundFailed_abandoned_changesNothing() {
    status.backgroundFailed(Kind.ABANDONED, 1003);
    assertThat(status.isLastBackgroundOk()).isTrue();
    assertThat(status.isUnwritable()).isFalse();
    assertThat(status.lastBackgroundDurationSeconds()).isEqualTo(SaveStatus.NEVER);
  }
}
