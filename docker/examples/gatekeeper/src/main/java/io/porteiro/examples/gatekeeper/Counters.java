package io.porteiro.examples.gatekeeper;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** How many questions were asked, and how many of them the database never saw. */
public final class Counters {
  private final LongAdder names = new LongAdder();
  private final LongAdder namesAtDatabase = new LongAdder();
  private final LongAdder pages = new LongAdder();
  private final LongAdder pagesAtDatabase = new LongAdder();
  private final LongAdder withoutPorteiro = new LongAdder();

  void countNames(int asked, int atDatabase) {
    names.add(asked);
    namesAtDatabase.add(atDatabase);
  }

  void countPage(boolean atDatabase) {
    pages.increment();
    pagesAtDatabase.add(atDatabase ? 1 : 0);
  }

  void countWithoutPorteiro() {
    withoutPorteiro.increment();
  }

  /** Names that somebody asked for. */
  public long names() {
    return names.sum();
  }

  /** Those of them that the database was asked for. */
  public long namesAtDatabase() {
    return namesAtDatabase.sum();
  }

  /** Pages that somebody asked for. */
  public long pages() {
    return pages.sum();
  }

  /** Those of them that the database was asked for. */
  public long pagesAtDatabase() {
    return pagesAtDatabase.sum();
  }

  /** Questions that Porteiro did not answer, so that the database had to. */
  public long withoutPorteiro() {
    return withoutPorteiro.sum();
  }

  /** Queries that the database was spared. */
  public long saved() {
    return names() - namesAtDatabase() + pages() - pagesAtDatabase();
  }

  /** All of it in a line. */
  public String report() {
    return String.format(
        Locale.ROOT,
        "names asked %,d, at the database %,d; pages asked %,d, at the database %,d;"
            + " without Porteiro %,d; database queries saved %,d (%.1f %%)",
        names(),
        namesAtDatabase(),
        pages(),
        pagesAtDatabase(),
        withoutPorteiro(),
        saved(),
        100.0 * saved() / Math.max(1, names() + pages()));
  }
}
