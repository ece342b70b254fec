package io.porteiro.server.persistence.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A disk that fails as it is told, and that can forget what was not synced, as one does that loses
 * its power. Files are real ones.
 */
public final class FaultyDisk implements Disk {
  private final Map<Path, Long> syncedBytes = new HashMap<>();
  private final List<String> done = new ArrayList<>();
  private long roomBytes = Long.MAX_VALUE;
  private @Nullable String writeFailure;
  private int syncFailures;
  private Runnable beforeSync = () -> {};
  private int operationsLeft = Integer.MAX_VALUE;

  /** So many bytes more can be written; then "No space left on device". */
  public synchronized void setRoom(long bytes) {
    roomBytes = bytes;
  }

  /** What writes fail with from now on; null: they succeed. */
  public synchronized void failWrites(@Nullable String reason) {
    writeFailure = reason;
  }

  /** The next so many syncs of files fail. */
  public synchronized void failSyncs(int count) {
    syncFailures = count;
  }

  /** Done by whoever syncs a file next, before that succeeds or fails. */
  public synchronized void beforeNextSync(Runnable action) {
    beforeSync = action;
  }

  private void prepareSync() {
    Runnable action;
    synchronized (this) {
      action = beforeSync;
      beforeSync = () -> {};
    }
    action.run(); // without the lock: it may wait
  }

  /** After so many operations more all fail, as if the process had been killed. */
  public synchronized void dieAfter(int operations) {
    operationsLeft = operations;
  }

  /** Whether it was told to die, and has. */
  public synchronized boolean isDead() {
    return operationsLeft == 0;
  }

  private synchronized void live() throws IOException {
    if (operationsLeft == 0) {
      throw new IOException("the process was killed");
    }
    operationsLeft--;
  }

  /** The names of what was done, as {@code create name}, since the last call. */
  public synchronized List<String> take() {
    List<String> taken = List.copyOf(done);
    done.clear();
    return taken;
  }

  /** Cuts all files back to what was synced. */
  public synchronized void losePower() throws IOException {
    for (Map.Entry<Path, Long> file : syncedBytes.entrySet()) {
      if (Files.exists(file.getKey())) {
        try (FileChannel channel = FileChannel.open(file.getKey(), StandardOpenOption.WRITE)) {
          channel.truncate(file.getValue());
        }
      }
    }
  }

  private synchronized void did(String what, Path path) {
    done.add(what + " " + path.getFileName());
  }

  private synchronized int admit(int bytes) throws IOException {
    if (writeFailure != null) {
      throw new IOException(writeFailure);
    }
    if (roomBytes <= 0) {
      throw new IOException("No space left on device");
    }
    int admitted = (int) Math.min(bytes, roomBytes);
    roomBytes -= roomBytes == Long.MAX_VALUE ? 0 : admitted;
    return admitted;
  }

  private synchronized void admitSync() throws IOException {
    if (syncFailures > 0) {
      syncFailures--;
      throw new IOException("Input/output error");
    }
  }

  private final class Written implements DiskFile {
    private final DiskFile file;
    private Path path;

    Written(DiskFile file, Path path) {
      this.file = file;
      this.path = path;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      live();
      int admitted = admit(bytes.remaining());
      int limit = bytes.limit();
      bytes.limit(bytes.position() + admitted);
      try {
        return file.write(bytes);
      } finally {
        bytes.limit(limit);
      }
    }

    @Override
    public void sync() throws IOException {
      live();
      prepareSync();
      admitSync();
      file.sync();
      synchronized (FaultyDisk.this) {
        syncedBytes.put(renamed(path), file.size());
      }
      did("sync", path);
    }

    @Override
    public void truncate(long size) throws IOException {
      live();
      file.truncate(size);
      did("truncate", path);
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private final Map<Path, Path> renames = new HashMap<>();

  private synchronized Path renamed(Path path) {
    return renames.getOrDefault(path, path);
  }

  @Override
  public DiskFile create(Path path) throws IOException {
    live();
    did("create", path);
    synchronized (this) {
      renames.remove(path);
      syncedBytes.put(path, 0L);
    }
    return new Written(SYSTEM.create(path), path);
  }

  @Override
  public DiskFile append(Path path) throws IOException {
    live();
    did("append", path);
    DiskFile file = SYSTEM.append(path);
    synchronized (this) {
      syncedBytes.putIfAbsent(path, file.size()); // what an earlier process left may not be synced
    }
    return new Written(file, path);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    live();
    did("rename", to);
    SYSTEM.rename(from, to);
    synchronized (this) {
      Long synced = syncedBytes.remove(from);
      syncedBytes.put(to, synced == null ? Files.size(to) : synced);
      renames.put(from, to);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    live();
    did("delete", path);
    SYSTEM.delete(path);
    synchronized (this) {
      syncedBytes.remove(path);
    }
  }

  @Override
  public void createDirectory(Path path) throws IOException {
    live();
    did("mkdir", path);
    SYSTEM.createDirectory(path);
  }

  @Override
  public void syncDirectory(Path path) throws IOException {
    live();
    did("sync", path);
    SYSTEM.syncDirectory(path);
  }
}
