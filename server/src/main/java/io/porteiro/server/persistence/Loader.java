package io.porteiro.server.persistence;

import io.porteiro.server.rdb.FileRdbInput;
import io.porteiro.server.rdb.RdbFileReader;
import io.porteiro.server.rdb.RdbVisitor;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.structure.Value;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a snapshot into the keyspace, and says now and then how far it is. */
final class Loader implements RdbVisitor {
  private static final Logger log = LoggerFactory.getLogger(Loader.class);
  private static final long LOG_EVERY_MS = 2_000;

  private final InstantSource clock;
  private final Path path;
  private final FileRdbInput in;
  private final EntryLoader entries;
  private final LoadProgress progress;
  private long nextLogMs;

  private Loader(
      InstantSource clock, Path path, FileRdbInput in, EntryLoader entries, LoadProgress progress) {
    this.clock = clock;
    this.path = path;
    this.in = in;
    this.entries = entries;
    this.progress = progress;
    this.nextLogMs = clock.millis() + LOG_EVERY_MS;
  }

  /** Is told of the progress, before anything is read. */
  interface ProgressListener {
    void started(LoadProgress progress);
  }

  /**
   * Loads a file.
   *
   * @param skipForeign whether keys of types that the server does not have are left out; otherwise
   *     they are a reason to refuse the file
   * @throws LoadException if it cannot be loaded as a whole; what was loaded of it is of no use
   */
  static LoadReport load(
      Keyspace keyspace,
      InstantSource clock,
      Path path,
      boolean skipForeign,
      ProgressListener listener)
      throws LoadException {
    LoadReport report = new LoadReport();
    try (FileChannel file = FileChannel.open(path);
        FileRdbInput in = new FileRdbInput(file, keyspace.pool());
        EntryLoader entries = new EntryLoader(keyspace, clock::millis, report)) {
      LoadProgress progress = new LoadProgress(clock.instant().getEpochSecond(), file.size());
      listener.started(progress);
      Loader loader = new Loader(clock, path, in, entries, progress);
      new RdbFileReader(in, keyspace.pool(), loader).read();
    } catch (IOException e) {
      throw new LoadException(path, describe(e), e);
    }
    checkForeign(path, report, skipForeign);
    return report;
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private static void checkForeign(Path path, LoadReport report, boolean skip)
      throws LoadException {
    String first = report.firstForeign();
    if (first == null) {
      return;
    }
    if (!skip) {
      throw new LoadException(
          path,
          first
              + ", the first of "
              + report.foreignKeys()
              + " keys of types that this server does not have; with rdb-load-unsupported-types"
              + " skip they are left out");
    }
    log.warn("{}: left out {} keys of other types; {}", path, report.foreignKeys(), first);
  }

  @Override
  public void auxiliary(String name, String value) {
    entries.auxiliary(name, value);
  }

  @Override
  public boolean selectDatabase(long number) {
    return entries.selectDatabase(number);
  }

  @Override
  public boolean entry(long database, byte[] key, long expireAtMs, Value value) {
    advance();
    return entries.entry(database, key, expireAtMs, value);
  }

  @Override
  public void foreign(long database, byte[] key, String typeName) {
    advance();
    entries.foreign(database, key, typeName);
  }

  private void advance() {
    progress.setLoadedBytes(in.offset());
    long now = clock.millis();
    if (now >= nextLogMs) {
      nextLogMs = now + LOG_EVERY_MS;
      log.info("Loading {}: {} %", path, (int) progress.percent());
    }
  }
}
