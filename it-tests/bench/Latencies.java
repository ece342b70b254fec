import java.util.concurrent.atomic.AtomicLongArray;

/** A histogram of times, in steps of 20 us up to 20 s. */
final class Latencies {
  private static final int STEPS = 1_000_000;
  private static final long STEP_NANOS = 20_000;

  private final AtomicLongArray counts = new AtomicLongArray(STEPS);

  void add(long nanos, int count) {
    counts.addAndGet((int) Math.min(STEPS - 1, Math.max(0, nanos) / STEP_NANOS), count);
  }

  long count() {
    long sum = 0;
    for (int i = 0; i < STEPS; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** Milliseconds within which so large a part of all were answered. */
  double ms(double part) {
    long needed = (long) Math.ceil(part * count());
    long sum = 0;
    for (int i = 0; i < STEPS; i++) {
      sum += counts.get(i);
      if (sum >= needed) {
        return (i + 1) * STEP_NANOS / 1e6;
      }
    }
    return 0;
  }
}
