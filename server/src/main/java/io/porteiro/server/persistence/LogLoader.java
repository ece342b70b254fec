package io.porteiro.server.persistence;

import io.porteiro.server.command.Replay;
import io.porteiro.server.command.ReplayException;
import io.porteiro.server.persistence.log.CommandReader;
import io.porteiro.server.persistence.log.CommandReader.Found;
import io.porteiro.server.persistence.log.CutCheck;
import io.porteiro.server.persistence.log.LogFormatException;
import io.porteiro.server.rdb.FileRdbInput;
import io.porteiro.server.rdb.RdbFileReader;
import io.porteiro.server.store.Keyspace;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the files of a log into the keyspace, one after the other. A file is a snapshot, commands,
 * or a snapshot with commands behind it; its first bytes tell, not its name. Changes nothing on the
 * disk.
 */
final class LogLoader {
  private static final Logger log = LoggerFactory.getLogger(LogLoader.class);

  private static final byte[] SNAPSHOT = "REDIS".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_TOLD_ERRORS = 10;
  private static final long NO_TRANSACTION = -1;

  private final Keyspace keyspace;
  private final Replay replay;
  private final LoadReport report;
  private final LongConsumer progress;
  private final List<Path> files;
  private final boolean cutAllowed;
  private final long maxDamagedTail;
  private long passedBytes;
  private long commands;
  private long errors;
  private @Nullable LogCut cut;

  /** How a log is read. */
  record Options(boolean cutAllowed, long maxDamagedTail) {}

  /**
   * A loader of these files.
   *
   * @param progress told how many bytes of all files are read
   */
  LogLoader(
      Keyspace keyspace,
      Replay replay,
      LoadReport report,
      List<Path> files,
      Options options,
      LongConsumer progress) {
    this.keyspace = keyspace;
    this.replay = replay;
    this.report = report;
    this.files = List.copyOf(files);
    this.cutAllowed = options.cutAllowed();
    this.maxDamagedTail = options.maxDamagedTail();
    this.progress = progress;
  }

  /** Bytes of the files; what is missing is found out by {@link #load}. */
  static long totalBytes(List<Path> files) throws IOException {
    long total = 0;
    for (Path file : files) {
      total += Files.exists(file) ? Files.size(file) : 0;
    }
    return total;
  }

  /**
   * Reads all files.
   *
   * @throws LoadException if that is not possible as a whole; what was read is of no use
   */
  void load() throws LoadException {
    for (Path file : files) {
      requireFile(file);
    }
    for (int i = 0; i < files.size(); i++) {
      load(files.get(i), isNothingBehind(i));
    }
  }

  /** What is to be cut off the last file, or null. */
  @Nullable LogCut cut() {
    return cut;
  }

  long commands() {
    return commands;
  }

  /** Commands that answered an error. */
  long errors() {
    return errors;
  }

  private static void requireFile(Path file) throws LoadException {
    if (!Files.isRegularFile(file)) {
      throw new LoadException(file, "the manifest names it, but it is not there");
    }
  }

  /**
   * Only the end of what was written last can be cut. A rewrite may have been about to begin the
   * next file.
   */
  private boolean isNothingBehind(int index) throws LoadException {
    for (int i = index + 1; i < files.size(); i++) {
      if (size(files.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static long size(Path file) throws LoadException {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new LoadException(file, describe(e), e);
    }
  }

  private void load(Path path, boolean isLast) throws LoadException {
    replay.beginFile();
    try (FileChannel file = FileChannel.open(path)) {
      if (startsWithSnapshot(file)) {
        loadSnapshot(file);
      } else if (file.size() == 0 && path.toString().endsWith(".rdb")) {
        throw new LoadException(path, "it is empty, but a snapshot is not");
      }
      loadCommands(path, file, isLast);
      passedBytes += file.size();
    } catch (LoadException e) {
      throw e;
    } catch (IOException e) {
      throw new LoadException(path, describe(e), e);
    }
  }

  private static String describe(IOException e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private static boolean startsWithSnapshot(FileChannel file) throws IOException {
    ByteBuffer start = ByteBuffer.allocate(SNAPSHOT.length);
    while (start.hasRemaining() && file.read(start, start.position()) >= 0) {
      // once, mostly
    }
    return start.flip().equals(ByteBuffer.wrap(SNAPSHOT));
  }

  /** Of a base all keys are kept, past their time or not: what follows may give them more. */
  private void loadSnapshot(FileChannel file) throws IOException {
    long end;
    try (FileRdbInput in = new FileRdbInput(file, keyspace.pool(), this::advance);
        EntryLoader entries = new EntryLoader(keyspace, () -> Long.MIN_VALUE, report)) {
      new RdbFileReader(in, keyspace.pool(), entries).read();
      end = in.offset();
    } catch (EOFException e) {
      throw new IOException("the snapshot is cut", e);
    }
    file.position(end);
  }

  private void advance(long bytes) {
    progress.accept(passedBytes + bytes);
  }

  private void loadCommands(Path path, FileChannel file, boolean isLast) throws IOException {
    long transaction = NO_TRANSACTION;
    try (CommandReader reader = new CommandReader(file, keyspace.pool())) {
      Found found = next(reader, path, file, isLast);
      while (found == Found.COMMAND) {
        boolean wasOpen = replay.isInTransaction();
        execute(path, reader);
        if (replay.isInTransaction() && !wasOpen) {
          transaction = reader.offset();
        }
        found = next(reader, path, file, isLast);
      }
      if (replay.isInTransaction()) {
        cutAt(path, file, transaction, isLast);
      } else if (found == Found.CUT) {
        cutAt(path, file, reader.offset(), isLast);
      }
    }
  }

  private Found next(CommandReader reader, Path path, FileChannel file, boolean isLast)
      throws IOException {
    try {
      Found found = reader.next();
      advance(reader.offset());
      if (found == Found.CUT) {
        refuseDamage(path, file, reader.offset());
      }
      return found;
    } catch (LogFormatException e) {
      if (isLast && file.size() - reader.offset() <= maxDamagedTail) {
        log.warn("{}: {}; aof-load-corrupt-tail-max-size has it cut off", path, e.getMessage());
        return Found.CUT;
      }
      throw e;
    }
  }

  private void refuseDamage(Path path, FileChannel file, long offset) throws IOException {
    if (CutCheck.hasCommandBehind(file, offset, keyspace.pool())) {
      throw new LoadException(
          path,
          "the command at offset "
              + offset
              + " has a length that is wrong: there are whole commands in its place");
    }
  }

  private void execute(Path path, CommandReader reader) throws LoadException {
    for (int i = 0; i < reader.count(); i++) {
      replay.argument(reader.address(i), reader.length(i));
    }
    try {
      String error = replay.execute();
      commands++;
      if (error != null) {
        tell(path, reader.offset(), error);
      }
    } catch (ReplayException e) {
      throw new LoadException(path, e.getMessage() + " at offset " + reader.offset(), e);
    }
  }

  private void tell(Path path, long offset, String error) {
    if (errors++ < MAX_TOLD_ERRORS) {
      log.warn("{}: the command at offset {} answered: {}", path, offset, error);
    }
  }

  private void cutAt(Path path, FileChannel file, long offset, boolean isLast) throws IOException {
    long bytes = file.size() - offset;
    if (!isLast) {
      throw new LoadException(
          path, "it ends within a command at offset " + offset + ", but is not the last file");
    }
    if (!cutAllowed) {
      throw new LoadException(
          path,
          "it ends within a command or transaction at offset %d, %d bytes before its end; with aof-load-truncated yes these are cut off"
              .formatted(offset, bytes));
    }
    cut = new LogCut(path, offset, bytes);
  }
}
