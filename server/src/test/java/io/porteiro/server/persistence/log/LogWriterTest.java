package io.porteiro.server.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.porteiro.server.command.Effects;
import io.porteiro.server.memory.MemoryPool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWriterTest {
  /** Without effects: MULTI and EXEC. */
  private static final Effects UNIT = new Effects();

  private static final long UNIT_BYTES = 29;

  /** Syncs are the caller's. */
  private static final class Surroundings implements AppendOnlyLog.Surroundings {
    @Override
    public FsyncPolicy policy() {
      return FsyncPolicy.NO;
    }

    @Override
    public boolean isSyncPostponed() {
      return false;
    }

    @Override
    public boolean hasTimestamps() {
      return false;
    }

    @Override
    public void rebase() {}
  }

  @TempDir Path directory;
  private final FaultyDisk disk = new FaultyDisk();
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);
  private final LogQueue queue = new LogQueue(pool);
  private final LogRelease release = new LogRelease();
  private final LogWriter writer =
      new LogWriter(queue, release, new Surroundings(), (event, nanos) -> {});
  private LogFile first;

  @BeforeEach
  void start() throws IOException {
    first = file("first");
    queue.setTarget(first);
    writer.start(first);
  }

  @AfterEach
  void end() {
    writer.abandon();
    pool.close();
  }

  private LogFile file(String name) throws IOException {
    return new LogFile(disk.create(directory.resolve(name)), 0);
  }

  private void append() {
    queue.append(UNIT, 0);
  }

  @Test
  void writeAtOnce_writesWhatWaits_syncsNothing() throws IOException {
    append();
    append();
    assertThat(writer.writeAtOnce()).isTrue();
    assertThat(writer.written()).isEqualTo(2 * UNIT_BYTES);
    assertThat(writer.fileBytes()).isEqualTo(2 * UNIT_BYTES);
    assertThat(writer.synced()).isZero();
  }

  /** Event loops write; a sync of the old file is not theirs to wait for. */
  @Test
  void writeAtOnce_nextFile_leavesItToWhoMayWait() throws IOException {
    append();
    writer.writeAtOnce();
    queue.setTarget(file("second"));
    append();
    disk.take();
    assertThat(writer.writeAtOnce()).isFalse();
    assertThat(writer.written()).isEqualTo(UNIT_BYTES);
    writer.write();
    assertThat(writer.written()).isEqualTo(2 * UNIT_BYTES);
    assertThat(writer.synced()).as("the old file").isEqualTo(UNIT_BYTES);
    assertThat(disk.take()).containsExactly("sync first");
  }

  /** Whatever was appended before is in the base: syncing the old file would only take time. */
  @Test
  void write_nextFileOfLogThatBeginsAnew_oldOneIsNotSynced() throws IOException {
    append();
    writer.write();
    release.hold();
    queue.setTarget(file("second"));
    append();
    disk.take();
    writer.write();
    assertThat(writer.written()).isEqualTo(2 * UNIT_BYTES);
    assertThat(disk.take()).isEmpty();
  }

  @Test
  void write_diskFull_unitWaitsAndIsWrittenWhenThereIsRoom() throws IOException {
    append();
    disk.setRoom(UNIT_BYTES - 1);
    assertThatThrownBy(writer::write).hasMessage("No space left on device");
    assertThat(writer.written()).isZero();
    assertThat(writer.fileBytes()).isZero();
    disk.setRoom(Long.MAX_VALUE);
    append();
    writer.write();
    assertThat(writer.written()).isEqualTo(2 * UNIT_BYTES);
    assertThat(directory.resolve("first")).hasSize(2 * UNIT_BYTES);
  }

  /** A later sync of that file would succeed and mean nothing. */
  @Test
  void sync_fails_fileTakesNothingMoreUntilThereIsABase() throws IOException {
    append();
    writer.write();
    disk.failSyncs(1);
    assertThatThrownBy(writer::sync).hasMessage("Input/output error");
    assertThat(writer.isTrusted()).isFalse();
    assertThat(writer.synced()).isZero();
    append();
    writer.write();
    assertThat(writer.written()).isEqualTo(UNIT_BYTES);
    assertThatThrownBy(writer::writeAndSync).hasMessageContaining("waits for a new base");

    LogFile second = file("second");
    long cut = queue.setTarget(second);
    append();
    writer.rebased(cut, second);
    writer.writeAndSync();
    assertThat(writer.isTrusted()).isTrue();
    assertThat(writer.synced()).isEqualTo(3 * UNIT_BYTES);
    assertThat(directory.resolve("first")).hasSize(UNIT_BYTES);
    assertThat(directory.resolve("second")).hasSize(UNIT_BYTES);
  }

  @Test
  void rebased_onFileThatFailedToSync_staysDistrusted() throws IOException {
    append();
    writer.write();
    disk.failSyncs(1);
    assertThatThrownBy(writer::sync).isInstanceOf(IOException.class);
    writer.rebased(queue.position(), first);
    assertThat(writer.isTrusted()).isFalse();
  }

  /** The kernel tells of lost pages once: a sync that waited for the one that failed succeeds. */
  @Test
  void sync_waitingForOneThatFails_failsToo() throws Exception {
    append();
    writer.write();
    CompletableFuture<Boolean> entered = new CompletableFuture<>();
    CompletableFuture<Boolean> goOn = new CompletableFuture<>();
    disk.beforeNextSync(() -> {
      entered.complete(true);
      goOn.join();
    });
    disk.failSyncs(1);
    FutureTask<IOException> failing = new FutureTask<>(this::failureOfSync);
    FutureTask<IOException> waiting = new FutureTask<>(this::failureOfSync);
    Thread.ofPlatform().daemon().start(failing);
    entered.join();
    Thread waiter = Thread.ofPlatform().daemon().start(waiting);
    while (waiter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    goOn.complete(true);

    assertThat(failing.get()).hasMessage("Input/output error");
    assertThat(waiting.get()).hasMessageContaining("waits for a new base");
    assertThat(writer.synced()).isZero();
  }

  private @Nullable IOException failureOfSync() {
    try {
      writer.sync();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /** No manifest names the file yet: after a crash nothing of it would be read. */
  @Test
  void sync_whileABaseIsWaitedFor_countsOnlyFromThenOn() throws IOException {
    LogFile second = file("second");
    release.hold();
    long cut = queue.setTarget(second);
    append();
    writer.write();
    writer.sync();
    assertThat(writer.synced()).isZero();
    assertThatThrownBy(writer::writeAndSync).hasMessageContaining("waits for its base");

    writer.rebased(cut, second);
    release.resumeFrom(cut);
    writer.sync();
    assertThat(writer.synced()).isEqualTo(cut + UNIT_BYTES);
  }

  /** An event loop may come to write after the log has ended. */
  @Test
  void abandon_whatWaits_isPendingNoMore() throws IOException {
    append();
    writer.abandon();
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThat(writer.writeAtOnce()).isTrue());
    writer.sync();
    assertThat(writer.synced()).isZero();
  }

  @Test
  void abandon_whatWaits_isDroppedWithItsMemory() {
    append();
    writer.abandon();
    assertThat(queue.bytes()).isZero();
    assertThat(writer.fileBytes()).isZero();
    assertThat(directory.resolve("first")).isEmptyFile();
  }
}
