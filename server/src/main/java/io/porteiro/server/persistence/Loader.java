package io.porteiro.server.persistence;

import io.porteiro.server.rdb.FileRdbInput;
import io.porteiro.server.rdb.RdbFileReader;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a snapshot into the keyspace, and says now and then how far it is. */
final class Loader {
  private static final Logger log = LoggerFactory.getLogger(Loader.class);
  private static final long LOG_EVERY_MS = 2_000;

  private final InstantSource clock;
  private final Path path;
  private final LoadProgress progress;
  private long nextLogMs;

  private Loader(InstantSource clock, Path path, LoadProgress progress) {
    this.clock = clock;
    this.path = path;
    this.progress = progress;
    this.nextLogMs = clock.millis() + LOG_EVERY_MS;
  }

  /**
   * Loads a file.
   *
   * @param skipForeign whether keys of types that the server does not have are left out; otherwise
   *     they are a reason to refuse the file
   * @param watcher is given the progress before anything is read
   * @throws LoadException if it cannot be loaded as a whole; what was loaded of it is of no use
   */
  static LoadReport load(
      Keyspace keyspace,
      InstantSource clock,
      Path path,
      boolean skipForeign,
      Consumer<LoadProgress> watcher)
      throws LoadException {
    LoadReport report = new LoadReport();
    try (FileChannel file = FileChannel.open(path)) {
      LoadProgress progress = new LoadProgress(clock.millis(), file.size());
      watcher.accept(progress);
      new Loader(clock, path, progress).read(file, keyspace, report);
    } catch (IOException e) {
      throw new LoadException(path, describe(e), e);
    }
    checkForeign(path, report, skipForeign);
    return report;
  }

  private void read(FileChannel file, Keyspace keyspace, LoadReport report) throws IOException {
    try (FileRdbInput in = new FileRdbInput(file, keyspace.pool(), this::advance);
        EntryLoader entries = new EntryLoader(keyspace, clock::millis, report)) {
      new RdbFileReader(in, keyspace.pool(), entries).read();
    }
  }

  private void advance(long loadedBytes) {
    progress.setLoadedBytes(loadedBytes);
    long now = clock.millis();
    if (now >= nextLogMs) {
      nextLogMs = now + LOG_EVERY_MS;
      log.info(
          "Loading {}: {} %, {} MB/s, {} s left",
          path,
          (int) progress.percent(),
          progress.bytesPerSecond(now) / 1_000_000,
          progress.etaSeconds(now));
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  static void checkForeign(Path path, LoadReport report, boolean skip) throws LoadException {
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
}
