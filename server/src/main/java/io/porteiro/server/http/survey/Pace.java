package io.porteiro.server.http.survey;

/** Makes a thread with long work rest as long as it works. */
final class Pace {
  private static final long WORK_NANOS = 5_000_000;
  private static final long REST_MS = 5;

  private long workEndsNanos = System.nanoTime() + WORK_NANOS;

  /** To be called between short pieces of work. */
  void keep() throws InterruptedException {
    if (System.nanoTime() - workEndsNanos >= 0) {
      Thread.sleep(REST_MS);
      workEndsNanos = System.nanoTime() + WORK_NANOS;
    }
  }
}
