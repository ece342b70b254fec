package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.AppendOnlyLog;
import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.LogFile;
import io.porteiro.server.persistence.log.ManifestEntry;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Begins the log when the data are loaded: in its last file, or in the first ones, made here. */
final class LogOpening implements LogStart.Opening {
  private final AppendOnlyLog log;
  private final ServerConfig config;
  private final SnapshotPersistence snapshots;
  private final LogFigures figures;

  LogOpening(
      AppendOnlyLog log, ServerConfig config, SnapshotPersistence snapshots, LogFigures figures) {
    this.log = log;
    this.config = config;
    this.snapshots = snapshots;
    this.figures = figures;
  }

  @Override
  public void accept(LogDirectory directory) throws IOException {
    ManifestEntry last = directory.manifest().lastIncremental();
    if (last != null) {
      log.start(directory.open(last));
    } else if (directory.manifest().base() != null) {
      beginIncremental(directory);
    } else {
      writeFirstBase(directory);
    }
  }

  private void beginIncremental(LogDirectory directory) throws IOException {
    ManifestEntry first = directory.nextIncremental(directory.manifest());
    LogFile file = directory.create(first);
    directory.replace(directory.manifest().withIncremental(first));
    log.start(file);
  }

  private void writeFirstBase(LogDirectory directory) throws IOException {
    FirstBase outcome = new FirstBase();
    LogRewrite.Form form = LogRewrite.Form.of(config);
    snapshots
        .snapshotter()
        .runNow(new LogRewrite(log, directory, LogRewrite.Mode.BEGIN, form, figures, outcome));
    SnapshotFailure failure = outcome.failure.get();
    if (failure != null) {
      throw new IOException("the first base cannot be written: " + failure.reason());
    }
  }

  /** How the first base went. */
  private static final class FirstBase implements LogRewrite.Outcome {
    final AtomicReference<@Nullable SnapshotFailure> failure = new AtomicReference<>();

    @Override
    public void completed() {}

    @Override
    public void failed(SnapshotFailure why) {
      failure.set(why);
    }
  }
}
