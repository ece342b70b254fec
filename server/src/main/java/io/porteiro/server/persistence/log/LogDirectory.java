package io.porteiro.server.persistence.log;

import io.porteiro.server.persistence.log.ManifestEntry.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of the log, and the manifest in it that says which of its files count. The manifest
 * is replaced as a whole: written beside, synced, renamed. So what is named in it is there, and
 * after a crash either the old or the new set of files counts.
 */
public final class LogDirectory {
  private static final Logger log = LoggerFactory.getLogger(LogDirectory.class);

  private static final String TEMPORARY = "temp-";
  private static final String BEGINNING = ".begin";
  private static final String INCREMENTAL = ".incr.aof";

  private final Disk disk;
  private final Path path;
  private final String fileName;
  private volatile Manifest manifest = Manifest.EMPTY;

  /**
   * @param path absolute
   * @param fileName {@code appendfilename}, with which all names of files begin
   */
  public LogDirectory(Disk disk, Path path, String fileName) {
    this.disk = disk;
    this.path = path;
    this.fileName = fileName;
  }

  public Disk disk() {
    return disk;
  }

  public Path path() {
    return path;
  }

  public Path manifestPath() {
    return path.resolve(fileName + ".manifest");
  }

  public Path path(ManifestEntry file) {
    return path.resolve(file.name());
  }

  /** Where a log lies that a Redis before version 7 wrote: a single file beside the directory. */
  public Path singleFile() {
    return path.resolveSibling(fileName);
  }

  /**
   * Reads the manifest.
   *
   * @return null if there is none
   * @throws IOException if it cannot be read or understood; the message does not name it
   */
  public @Nullable Manifest read() throws IOException {
    if (!Files.exists(manifestPath())) {
      return null;
    }
    return Manifest.parse(
        new String(Files.readAllBytes(manifestPath()), StandardCharsets.ISO_8859_1));
  }

  /** Names in the directory that look like files of this log; none if there is no directory. */
  public List<String> logFiles() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.equals(fileName) || name.startsWith(fileName + "."))
          .sorted()
          .toList();
    }
  }

  /**
   * Incremental files that hold something where a manifest names none: it has lost its last lines,
   * or a bit of a type has flipped. Those that a base has taken the place of are not among them.
   */
  public List<String> missingIncrementals(Manifest found) throws IOException {
    if (found.lastIncremental() != null || found.hasReplacedBase()) {
      return List.of();
    }
    return logFiles().stream()
        .filter(name -> name.endsWith(INCREMENTAL) && path.resolve(name).toFile().length() > 0)
        .toList();
  }

  public void create() throws IOException {
    if (!Files.isDirectory(path)) {
      disk.createDirectory(path);
      disk.syncDirectory(path.resolveSibling("."));
    }
  }

  /**
   * Notes that the first files are about to be made: until there is a manifest they are worth
   * nothing, which a start after a crash must be able to tell from a manifest that was lost.
   */
  public void beginFirst() throws IOException {
    if (!Files.exists(manifestPath())) {
      disk.create(beginning()).close();
      disk.syncDirectory(path);
    }
  }

  /** The first files are named in a manifest. */
  public void endFirst() throws IOException {
    disk.delete(beginning());
  }

  /** Whether the first files were being made when the process ended. */
  public boolean hasBegunOnly() {
    return Files.exists(beginning()) && !Files.exists(manifestPath());
  }

  private Path beginning() {
    return temporary(fileName + BEGINNING);
  }

  /**
   * The next base of a log.
   *
   * @param commands whether it consists of commands; else it is a snapshot
   */
  public ManifestEntry nextBase(Manifest manifest, boolean commands) {
    long sequence = manifest.nextBaseSequence();
    String suffix = commands ? ".base.aof" : ".base.rdb";
    return new ManifestEntry(fileName + "." + sequence + suffix, sequence, Kind.BASE);
  }

  /** The next incremental file of a log. */
  public ManifestEntry nextIncremental(Manifest manifest) {
    long sequence = manifest.nextIncrementalSequence();
    return new ManifestEntry(fileName + "." + sequence + INCREMENTAL, sequence, Kind.INCREMENTAL);
  }

  /** Where a file is written until it is complete. */
  public Path temporary(String name) {
    return path.resolve(TEMPORARY + name);
  }

  /** What is in force, as far as this process knows. */
  public Manifest manifest() {
    return manifest;
  }

  /** A manifest that was read, or understood to be in force. */
  public void setManifest(Manifest manifest) {
    this.manifest = manifest;
  }

  /** Puts a manifest into force, for good. Where this fails, one of the two is. */
  public void replace(Manifest next) throws IOException {
    try {
      write(next);
      manifest = next;
    } catch (IOException e) {
      findOut(e);
      throw e;
    }
  }

  /** A rename may have been done although the system could not say that it stays. */
  private void findOut(IOException failure) {
    try {
      Manifest found = read();
      manifest = found == null ? Manifest.EMPTY : found;
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void write(Manifest next) throws IOException {
    Path temporary = temporary(fileName + ".manifest");
    try (DiskFile file = disk.create(temporary)) {
      file.writeFully(ByteBuffer.wrap(next.text().getBytes(StandardCharsets.ISO_8859_1)));
      file.sync();
    }
    disk.rename(temporary, manifestPath());
    disk.syncDirectory(path);
  }

  /** Deletes the files that are of no use any more, and forgets them. */
  public void deleteHistory() throws IOException {
    if (manifest.history().isEmpty()) {
      return;
    }
    for (ManifestEntry file : manifest.history()) {
      disk.delete(path(file));
    }
    replace(manifest.withoutHistory());
  }

  /**
   * An empty file of the log. One of that name, left by an attempt that failed, is another file
   * from then on: who still has it open does no harm.
   */
  public LogFile create(ManifestEntry entry) throws IOException {
    DiskFile file = disk.create(temporary(entry.name()));
    try {
      disk.rename(temporary(entry.name()), path(entry));
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return new LogFile(file, 0);
  }

  /** The end of a file of the log, to go on there. */
  public LogFile open(ManifestEntry entry) throws IOException {
    DiskFile file = disk.append(path(entry));
    return new LogFile(file, file.size());
  }

  /**
   * Brings the incremental files in force, and their names, to the disk. A process that was killed
   * may have left them in the kernel only, and from now on they are answered with and built upon.
   */
  public void syncIncrementals() throws IOException {
    for (ManifestEntry entry : manifest.incrementals()) {
      try (DiskFile file = disk.append(path(entry))) {
        file.sync();
      }
    }
    disk.syncDirectory(path);
  }

  /** Deletes what a process left that ended while it wrote. */
  public void deleteTemporaries() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(this::isTemporary).toList()) {
        disk.delete(file);
        log.info("Deleted {}, left by a process that ended while it wrote", file);
      }
    }
  }

  private boolean isTemporary(Path file) {
    return String.valueOf(file.getFileName()).startsWith(TEMPORARY + fileName + ".");
  }

  /**
   * Moves a single-file log in, as the base that the manifest names already: so a crash in between
   * is told from a missing base.
   */
  public void adoptSingleFile() throws IOException {
    create();
    replace(singleFileManifest());
    disk.rename(singleFile(), path.resolve(fileName));
    disk.syncDirectory(path);
    disk.syncDirectory(path.resolveSibling("."));
  }

  /** The manifest of a log that is a single file. */
  public Manifest singleFileManifest() {
    return new Manifest(new ManifestEntry(fileName, 1, Kind.BASE), List.of(), List.of());
  }
}
