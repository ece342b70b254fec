package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.SavePoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavePointsTest {
  private static final SavePoint HOURLY = new SavePoint(3600, 1);
  private static final SavePoint BUSY = new SavePoint(60, 10_000);
  private static final List<SavePoint> POINTS = List.of(HOURLY, BUSY);
  private static final long START = 1_000_000;

  private final SaveStatus status = new SaveStatus(START);

  @Test
  void reached_changesAndSecondsBothPassed_isThePoint() {
    assertThat(SavePoints.reached(POINTS, 1, status, START + 3601)).isEqualTo(HOURLY);
    assertThat(SavePoints.reached(POINTS, 10_000, status, START + 61)).isEqualTo(BUSY);
  }

  @Test
  void reached_onlyOneOfThemPassed_isNone() {
    assertThat(SavePoints.reached(POINTS, 0, status, START + 9999)).isNull();
    assertThat(SavePoints.reached(POINTS, 9_999, status, START + 61)).isNull();
    assertThat(SavePoints.reached(POINTS, 10_000, status, START + 60)).isNull();
    assertThat(SavePoints.reached(List.of(), 10_000, status, START + 9999)).isNull();
  }

  @Test
  void reached_afterASave_countsFromThere() {
    status.saved(7, START + 3600);
    assertThat(SavePoints.reached(POINTS, 1, status, START + 3601)).isNull();
    assertThat(SavePoints.reached(POINTS, 1, status, START + 7201)).isEqualTo(HOURLY);
  }

  /** Without the pause a full disk would be tried ten times a second. */
  @Test
  void reached_afterAFailure_waitsBeforeTheNextAttempt() {
    status.backgroundStarted(START + 3601);
    status.backgroundFailed(SnapshotFailure.Kind.FAILED, START + 3602);
    assertThat(SavePoints.reached(POINTS, 1, status, START + 3606)).isNull();
    assertThat(SavePoints.reached(POINTS, 1, status, START + 3607)).isEqualTo(HOURLY);
  }
}
