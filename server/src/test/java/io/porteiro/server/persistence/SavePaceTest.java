package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class SavePaceTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PIECE = 2 * MS;
  private static final int PROCESSORS = 2;

  /** Time in which the save works alone on one processor, others on some more, or all rest. */
  private static final class FakeClocks implements SavePace.Clocks {
    private long now;
    private long ofSave;
    private double ofOthers;
    private double others;
    private long rested;
    private long longestRest;

    /** How much later than asked every hundredth rest ends. */
    private long late;

    private long rests;

    void work(long nanos) {
      rested = 0;
      ofSave += nanos;
      pass(nanos);
    }

    private void pass(long nanos) {
      now += nanos;
      ofOthers += others * nanos;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public long ofSave() {
      return ofSave;
    }

    /** In hundredths of a second, as the system tells it. */
    @Override
    public long ofProcess() {
      return (ofSave + (long) ofOthers) / (10 * MS) * (10 * MS);
    }

    @Override
    public void rest(long nanos) {
      rested += nanos;
      longestRest = Math.max(longestRest, rested);
      pass(rests++ % 100 == 0 ? nanos + late : nanos);
    }
  }

  private final FakeClocks clocks = new FakeClocks();
  private final SavePace pace = new SavePace(clocks, PROCESSORS);

  private void write(int pieces, long nanosEach) {
    for (int i = 0; i < pieces; i++) {
      clocks.work(nanosEach);
      pace.pieceDone();
    }
  }

  /** The processors that the save takes in so many pieces from now on. */
  private double taken(int pieces) {
    long save = clocks.ofSave;
    long begin = clocks.now;
    write(pieces, PIECE);
    return (double) (clocks.ofSave - save) / (clocks.now - begin);
  }

  private double left(double part) {
    return (PROCESSORS - clocks.others) * part;
  }

  @Test
  void nobodyIsServed_doesNotRestAfterTheFirstLook() {
    write(1000, PIECE);
    assertThat(pace.restedMs())
        .isLessThanOrEqualTo((SavePace.LOOK_EVERY_NANOS + SavePace.LONGEST_REST_NANOS) / MS);
  }

  @Test
  void clientsAreServed_takesLittleAtFirstAndMoreWhereNothingIsLate() {
    clocks.others = 0.7;
    assertThat(taken(60)).isCloseTo(left(SavePace.LEAST_PART), Percentage.withPercentage(10));
    write(200, PIECE);
    assertThat(taken(500)).isCloseTo(left(SavePace.LARGEST_PART), Percentage.withPercentage(10));
  }

  /** As where the host stops all processors for the rest of a tenth of a second. */
  @Test
  void restsEndLate_takesTheLeastPart_andMoreAgainSomeSecondsAfterwards() {
    clocks.others = 0.7;
    write(400, PIECE);
    clocks.late = SavePace.LATE_NANOS + MS;
    write(200, PIECE);
    assertThat(taken(200)).isCloseTo(left(SavePace.LEAST_PART), Percentage.withPercentage(15));
    clocks.late = SavePace.LATE_NANOS;
    write(300, PIECE);
    assertThat(taken(500)).isCloseTo(left(SavePace.LARGEST_PART), Percentage.withPercentage(10));
  }

  /** Otherwise a save would never end where clients always want more than there is. */
  @Test
  void clientsTakeEverything_takesTheLeastThatItNeeds() {
    clocks.others = PROCESSORS;
    assertThat(taken(2000)).isCloseTo(SavePace.LEAST_PROCESSORS, Percentage.withPercentage(10));
  }

  @Test
  void clientsComeWhileItRuns_restsFromThenOn() {
    write(200, PIECE);
    long before = pace.restedMs();
    clocks.others = 1;
    write(200, PIECE);
    assertThat(pace.restedMs() - before).isGreaterThan(500);
  }

  /** A piece takes long also where the processor was somebody else's; the rest stays bounded. */
  @Test
  void aLongPiece_isFollowedByABoundedRest() {
    clocks.others = PROCESSORS;
    write(2, 1000 * MS);
    assertThat(clocks.longestRest).isEqualTo(SavePace.LONGEST_REST_NANOS);
  }
}
