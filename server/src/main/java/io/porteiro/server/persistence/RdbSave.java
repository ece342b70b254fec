package io.porteiro.server.persistence;

import io.porteiro.server.persistence.log.Disk;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** SAVE, BGSAVE or a save point: the snapshot takes the place of the last one in its file. */
final class RdbSave implements SnapshotJob {
  private final Keyspace keyspace;
  private final Disk disk;
  private final Path path;
  private final DumpLock lock;
  private final UnfinishedSaves unfinished;
  private final SaveStatus status;
  private final LongSupplier nowSeconds;
  private final boolean background;
  private final Consumer<@Nullable String> done;
  private long changes;

  /**
   * A save.
   *
   * @param path absolute
   * @param lock without which it is not written
   * @param nowSeconds Unix time
   * @param background whether what becomes of it decides on refusing writes
   * @param done is told null, or why it failed
   */
  RdbSave(
      Keyspace keyspace,
      Disk disk,
      Path path,
      DumpLock lock,
      UnfinishedSaves unfinished,
      SaveStatus status,
      LongSupplier nowSeconds,
      boolean background,
      Consumer<@Nullable String> done) {
    this.keyspace = keyspace;
    this.disk = disk;
    this.path = path;
    this.lock = lock;
    this.unfinished = unfinished;
    this.status = status;
    this.nowSeconds = nowSeconds;
    this.background = background;
    this.done = done;
  }

  @Override
  public String name() {
    return "Saving " + path;
  }

  @Override
  public SnapshotTarget open() throws IOException {
    if (!lock.take(path)) {
      throw new IOException("another server is writing " + path);
    }
    unfinished.deleteBeside(path);
    return new SnapshotFile(disk, UnfinishedSaves.temporary(path), path, true, _ -> {});
  }

  @Override
  public void cut() {
    changes = keyspace.changes();
  }

  @Override
  public void completed() {
    status.saved(changes, nowSeconds.getAsLong());
    if (background) {
      status.backgroundEnded(nowSeconds.getAsLong());
    }
    done.accept(null);
  }

  @Override
  public void failed(SnapshotFailure failure) {
    if (background) {
      status.backgroundFailed(failure.kind(), nowSeconds.getAsLong());
    }
    done.accept(failure.reason());
  }
}
