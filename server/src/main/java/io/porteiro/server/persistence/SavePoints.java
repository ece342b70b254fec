package io.porteiro.server.persistence;

import io.porteiro.server.config.SavePoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When the server saves by itself: Redis's rule. */
final class SavePoints {
  /** After a background save that failed, the next attempt waits longer than so many seconds. */
  static final long RETRY_SECONDS = 5;

  private SavePoints() {}

  /**
   * The save point that is reached.
   *
   * @param changes since the last successful save
   * @return null if none is, or if the last attempt failed a moment ago
   */
  static @Nullable SavePoint reached(
      List<SavePoint> points, long changes, SaveStatus status, long nowSeconds) {
    if (!status.isLastBackgroundOk()
        && nowSeconds - status.lastBackgroundStartSeconds() <= RETRY_SECONDS) {
      return null;
    }
    long seconds = nowSeconds - status.lastSaveSeconds();
    for (SavePoint point : points) {
      if (changes >= point.changes() && seconds > point.seconds()) {
        return point;
      }
    }
    return null;
  }
}
