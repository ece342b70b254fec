package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether the disk takes what it is given. */
final class LogHealth {
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private volatile @Nullable String failure;
  private long toldNanos;

  boolean isFailing() {
    return failure != null;
  }

  /** Why, in the system's words; null if it does. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * It did not.
   *
   * @return whether the operator should be told, which is now and then
   */
  synchronized boolean failed(IOException e, long nowNanos) {
    boolean first = failure == null;
    failure = reason(e);
    if (first || nowNanos - toldNanos > TELL_EVERY_NANOS) {
      toldNanos = nowNanos;
      return true;
    }
    return false;
  }

  private static String reason(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  void recovered() {
    failure = null;
  }
}
