package io.porteiro.server.persistence.log;

/**
 * A file of the log, as the manifest names it.
 *
 * @param name without a directory
 * @param sequence its number among the files of its kind, not 0
 */
public record ManifestEntry(String name, long sequence, Kind kind) {
  /** What a file is to the log. */
  public enum Kind {
    /** Everything up to a point in time. */
    BASE('b'),
    /** No longer of use, to be deleted. */
    HISTORY('h'),
    /** What was done after the base, in the order of the numbers. */
    INCREMENTAL('i');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    char letter() {
      return letter;
    }
  }
}
