package io.porteiro.server.persistence;

import io.porteiro.server.command.Replay;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.DiskFile;
import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.Manifest;
import io.porteiro.server.persistence.log.ManifestEntry;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start with the log on: finds out what there is, reads it, and only when all of that is done
 * changes anything on the disk.
 *
 * <table>
 *   <caption>What there is</caption>
 *   <tr><td>a manifest</td><td>the files that it names are loaded</td></tr>
 *   <tr><td>log files, but no manifest</td><td>refused: who knows which of them count</td></tr>
 *   <tr><td>a single-file log of Redis before 7</td><td>loaded and moved in</td></tr>
 *   <tr><td>a snapshot only</td><td>loaded; it becomes the first base</td></tr>
 *   <tr><td>nothing</td><td>an empty base is made</td></tr>
 * </table>
 */
final class LogStart {
  private static final Logger logger = LoggerFactory.getLogger(LogStart.class);

  private final Keyspace keyspace;
  private final ServerConfig config;
  private final InstantSource clock;
  private final SnapshotPersistence snapshots;
  private final LogDirectory directory;
  private final LogFigures figures;

  /** Opens what was loaded for writing. */
  @FunctionalInterface
  interface Opening {
    void accept(LogDirectory directory) throws IOException;
  }

  LogStart(
      Keyspace keyspace,
      ServerConfig config,
      InstantSource clock,
      SnapshotPersistence snapshots,
      LogDirectory directory,
      LogFigures figures) {
    this.keyspace = keyspace;
    this.config = config;
    this.clock = clock;
    this.snapshots = snapshots;
    this.directory = directory;
    this.figures = figures;
  }

  void load(Supplier<Replay> replays, Opening opening) throws LoadException {
    Manifest manifest = manifest();
    boolean single = manifest == null ? hasSingleFile() : isUnadopted(manifest);
    if (single) {
      loadSingleFile(replays, opening);
    } else if (manifest != null) {
      loadFiles(replays, manifest, opening);
    } else {
      snapshots.read();
      open(opening, null);
    }
  }

  /** Reads the files in force once more, into an empty keyspace. */
  void reload(Supplier<Replay> replays) throws LoadException {
    loadFiles(replays, paths(directory.manifest()));
  }

  private @Nullable Manifest manifest() throws LoadException {
    try {
      Manifest manifest = directory.read();
      List<String> files = directory.logFiles();
      if (manifest == null && !files.isEmpty() && !directory.hasBegunOnly()) {
        throw new LoadException(
            directory.manifestPath(),
            "it is not there, but files of a log are: "
                + String.join(", ", files)
                + ". Bring it back, or move them away to start without them");
      }
      if (manifest != null) {
        requireNamed(directory.missingIncrementals(manifest));
      }
      return manifest;
    } catch (LoadException e) {
      throw e;
    } catch (IOException e) {
      throw new LoadException(directory.manifestPath(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Going on without them would serve a part, and in the end overwrite the rest. */
  private void requireNamed(List<String> missing) throws LoadException {
    if (!missing.isEmpty()) {
      throw new LoadException(
          directory.manifestPath(),
          "it names no incremental file, but there are: "
              + String.join(", ", missing)
              + ". Bring the lines back, or move the files away to start without them");
    }
  }

  private boolean hasSingleFile() {
    return Files.isRegularFile(directory.singleFile());
  }

  /** A crash came between naming the single file in the manifest and moving it in. */
  private boolean isUnadopted(Manifest manifest) {
    return hasSingleFile()
        && manifest.equals(directory.singleFileManifest())
        && manifest.loaded().stream().noneMatch(file -> Files.exists(directory.path(file)));
  }

  private void loadSingleFile(Supplier<Replay> replays, Opening opening) throws LoadException {
    LogCut cut = loadFiles(replays, List.of(directory.singleFile()));
    logger.info("Moving {} into {}", directory.singleFile(), directory.path());
    open(
        opened -> {
          opened.adoptSingleFile();
          opening.accept(opened);
        },
        cut);
  }

  private void loadFiles(Supplier<Replay> replays, Manifest manifest, Opening opening)
      throws LoadException {
    directory.setManifest(manifest);
    LogCut cut = loadFiles(replays, paths(manifest));
    ManifestEntry base = manifest.base();
    figures.setBytesAfterRewrite(base == null ? 0 : LogFigures.bytesOf(directory.path(base)));
    open(
        opened -> {
          opened.syncIncrementals();
          opened.deleteHistory();
          opened.deleteTemporaries();
          opening.accept(opened);
        },
        cut);
  }

  private List<Path> paths(Manifest manifest) {
    return manifest.loaded().stream().map(directory::path).toList();
  }

  /** While a log is loaded nothing expires: what follows may give a key more time. */
  private @Nullable LogCut loadFiles(Supplier<Replay> replays, List<Path> files)
      throws LoadException {
    keyspace.setExpiring(false);
    try (Replay replay = replays.get()) {
      return loadFiles(replay, files);
    } finally {
      keyspace.setExpiring(true);
    }
  }

  private @Nullable LogCut loadFiles(Replay replay, List<Path> files) throws LoadException {
    long startedMs = clock.millis();
    LoadReport report = new LoadReport();
    Loading loading = snapshots.beginLoading(directory.path(), totalBytes(files));
    LogLoader.Options options =
        new LogLoader.Options(config.aofLoadTruncated(), config.aofLoadCorruptTailMaxSize());
    LogLoader loader = new LogLoader(keyspace, replay, report, files, options, loading::advance);
    loader.load();
    Loader.checkForeign(directory.path(), report, config.rdbLoadUnsupportedTypes().equals("skip"));
    snapshots.setLoadReport(report);
    logger.info(
        "Loaded {} keys and {} commands from {} in {} ms; {} commands answered an error",
        report.loadedKeys(),
        loader.commands(),
        directory.path(),
        clock.millis() - startedMs,
        loader.errors());
    return loader.cut();
  }

  private long totalBytes(List<Path> files) throws LoadException {
    try {
      return LogLoader.totalBytes(files);
    } catch (IOException e) {
      throw new LoadException(directory.path(), e.toString(), e);
    }
  }

  private void open(Opening opening, @Nullable LogCut cut) throws LoadException {
    try {
      if (cut != null) {
        cutOff(cut);
      }
      opening.accept(directory);
    } catch (IOException e) {
      throw new LoadException(directory.path(), "the log cannot be opened: " + e, e);
    }
  }

  private void cutOff(LogCut cut) throws IOException {
    logger.warn(
        "{} ends within a command or transaction: {} bytes from offset {} on are cut off",
        cut.file(),
        cut.bytes(),
        cut.offset());
    try (DiskFile file = directory.disk().append(cut.file())) {
      file.truncate(cut.offset());
      file.sync();
    }
  }
}
