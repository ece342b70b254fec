package io.porteiro.server.persistence.log;

import io.porteiro.server.persistence.log.ManifestEntry.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which files make up the log: at most one base, then incremental files with rising numbers; and
 * those that are to be deleted. Immutable. As text one line for each file:
 *
 * <pre>
 *   file appendonly.aof.2.base.rdb seq 2 type b
 *   file appendonly.aof.4.incr.aof seq 4 type i
 *   # crc32c of the lines above: 5a1e07c3
 * </pre>
 *
 * @param base null where everything is in the incremental files
 */
public record Manifest(
    @Nullable ManifestEntry base, List<ManifestEntry> history, List<ManifestEntry> incrementals) {
  public static final Manifest EMPTY = new Manifest(null, List.of(), List.of());

  public Manifest {
    history = List.copyOf(history);
    incrementals = List.copyOf(incrementals);
  }

  /**
   * Understands the text of a manifest.
   *
   * @throws ManifestException where it is not exactly what Redis would take
   */
  static Manifest parse(String text) throws ManifestException {
    return new ManifestParser(text).parse();
  }

  /** Base and incremental files, in the order in which they are to be loaded. */
  public List<ManifestEntry> loaded() {
    List<ManifestEntry> files = new ArrayList<>();
    if (base != null) {
      files.add(base);
    }
    files.addAll(incrementals);
    return files;
  }

  /** The file that the log is written to, or null. */
  public @Nullable ManifestEntry lastIncremental() {
    return incrementals.isEmpty() ? null : incrementals.getLast();
  }

  /** Whether an older base is still named, to be deleted. */
  boolean hasReplacedBase() {
    return history.stream().anyMatch(file -> !file.name().endsWith(".incr.aof"));
  }

  long nextBaseSequence() {
    return base == null ? 1 : base.sequence() + 1;
  }

  long nextIncrementalSequence() {
    return incrementals.isEmpty() ? 1 : incrementals.getLast().sequence() + 1;
  }

  public Manifest withIncremental(ManifestEntry file) {
    List<ManifestEntry> more = new ArrayList<>(incrementals);
    more.add(file);
    return new Manifest(base, history, more);
  }

  /**
   * The log begins anew with this base and goes on in this file, if there is one; all others are of
   * no use any more.
   */
  public Manifest rebased(ManifestEntry newBase, @Nullable ManifestEntry incremental) {
    List<ManifestEntry> useless = new ArrayList<>(history);
    for (ManifestEntry file : loaded()) {
      if (incremental == null || !file.name().equals(incremental.name())) {
        useless.add(new ManifestEntry(file.name(), file.sequence(), Kind.HISTORY));
      }
    }
    return new Manifest(newBase, useless, incremental == null ? List.of() : List.of(incremental));
  }

  Manifest withoutHistory() {
    return new Manifest(base, List.of(), incrementals);
  }

  /** As it stands in the file. */
  String text() {
    StringBuilder text = new StringBuilder();
    List<ManifestEntry> lines = new ArrayList<>();
    if (base != null) {
      lines.add(base);
    }
    lines.addAll(history);
    lines.addAll(incrementals);
    lines.forEach(line -> ManifestParser.write(line, text));
    ManifestParser.writeChecksum(text);
    return text.toString();
  }
}
