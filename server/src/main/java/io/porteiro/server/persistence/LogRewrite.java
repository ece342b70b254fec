package io.porteiro.server.persistence;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.persistence.log.AppendOnlyLog;
import io.porteiro.server.persistence.log.LogDirectory;
import io.porteiro.server.persistence.log.LogFile;
import io.porteiro.server.persistence.log.Manifest;
import io.porteiro.server.persistence.log.ManifestEntry;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new base of the log. In this order, so that after a crash at any moment the manifest names a
 * set of files that hold everything:
 *
 * <ol>
 *   <li>the next incremental file is made and, behind the others, named in the manifest;
 *   <li>the cut: from there on the log is written to that file;
 *   <li>the base is written;
 *   <li>the manifest is replaced by one with only the new base and that file;
 *   <li>the old files are deleted.
 * </ol>
 *
 * <p>Where the log begins anew, the first step does not name the file: the old files are no part of
 * it.
 */
final class LogRewrite implements SnapshotJob {
  private static final Logger logger = LoggerFactory.getLogger(LogRewrite.class);

  /** How the rewrite stands to the log that is being written. */
  enum Mode {
    /** The log goes on; what was before the cut stays part of it until the base is in force. */
    CONTINUE,
    /** The log begins, or cannot be trusted: only the base and what comes after it count. */
    BEGIN,
    /** There is no log: a base alone. */
    BASE_ONLY
  }

  private final AppendOnlyLog log;
  private final LogDirectory directory;
  private final Mode mode;
  private final Form form;
  private final LogFigures figures;
  private final Outcome outcome;
  private @Nullable ManifestEntry incremental;
  private @Nullable LogFile file;
  private long cutPosition;
  private boolean cancelled;

  /**
   * How the base is written.
   *
   * @param incrementalSync whether the disk gets some of it while it is written
   * @param commands whether it consists of commands, as {@code aof-use-rdb-preamble no} wants it
   */
  record Form(boolean incrementalSync, boolean commands) {
    static Form of(ServerConfig config) {
      return new Form(config.aofRewriteIncrementalFsync(), !config.aofUseRdbPreamble());
    }
  }

  /** Is told how it ended. */
  interface Outcome {
    void completed();

    void failed(SnapshotFailure failure);
  }

  /**
   * A rewrite.
   *
   * @param figures told the size of the log when the base is in force
   */
  LogRewrite(
      AppendOnlyLog log,
      LogDirectory directory,
      Mode mode,
      Form form,
      LogFigures figures,
      Outcome outcome) {
    this.log = log;
    this.directory = directory;
    this.mode = mode;
    this.form = form;
    this.figures = figures;
    this.outcome = outcome;
  }

  @Override
  public String name() {
    return "Rewriting the log in " + directory.path();
  }

  @Override
  public boolean isLogBase() {
    return true;
  }

  @Override
  public boolean isOfCommands() {
    return form.commands();
  }

  @Override
  public SnapshotTarget open() throws IOException {
    directory.create();
    directory.beginFirst();
    if (mode != Mode.BASE_ONLY) {
      prepareIncremental();
    }
    ManifestEntry base = directory.nextBase(directory.manifest(), form.commands());
    return new SnapshotFile(
        directory.disk(),
        directory.temporary(base.name()),
        directory.path(base),
        form.incrementalSync(),
        _ -> putIntoForce(base));
  }

  private void prepareIncremental() throws IOException {
    Manifest manifest = directory.manifest();
    ManifestEntry next = directory.nextIncremental(manifest);
    incremental = next;
    file = directory.create(next);
    if (mode == Mode.CONTINUE) {
      directory.replace(manifest.withIncremental(next));
      log.syncWritten();
    }
  }

  /** There is no log any more: nothing is to be switched on or put into force. */
  synchronized void cancel() {
    cancelled = true;
  }

  @Override
  public synchronized void cut() {
    if (mode != Mode.BASE_ONLY && !cancelled) {
      LogFile next = Objects.requireNonNull(file);
      cutPosition = mode == Mode.CONTINUE ? log.cut(next) : log.cutAnew(next);
    }
  }

  private synchronized void putIntoForce(ManifestEntry base) throws IOException {
    if (cancelled) {
      throw new AbandonedException();
    }
    directory.replace(directory.manifest().rebased(base, incremental));
    if (file != null) {
      log.rebased(cutPosition, file);
    }
    figures.setBytesAfterRewrite(LogFigures.bytesOf(directory));
    cleanUp();
  }

  /** Files of no use are only a waste: the next rewrite or start tries again. */
  private void cleanUp() {
    try {
      directory.endFirst();
      directory.deleteHistory();
    } catch (IOException e) {
      logger.warn("Old files of the log could not be deleted: {}", e.toString());
    }
  }

  @Override
  public void completed() {
    outcome.completed();
  }

  @Override
  public void failed(SnapshotFailure failure) {
    outcome.failed(failure);
  }
}
