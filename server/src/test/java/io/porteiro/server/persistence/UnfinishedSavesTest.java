package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.persistence.log.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedSavesTest {
  /** Linux has no process with so large a number. */
  private static final String DEAD = "99999999";

  @TempDir private Path directory;
  private final Instant now = Instant.now();

  private Path file(String name, Duration age) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "half");
    Files.setLastModifiedTime(file, FileTime.from(now.minus(age)));
    return file;
  }

  private void delete() {
    new UnfinishedSaves(Disk.SYSTEM, InstantSource.fixed(now))
        .deleteBeside(directory.resolve("dump.rdb"));
  }

  @Test
  void deleteBeside_fileOfADeadProcess_isDeleted() throws IOException {
    Path file = file("temp-" + DEAD + ".rdb", Duration.ofHours(1));
    delete();
    assertThat(file).doesNotExist();
  }

  /** The process may be alive in another container, where it has another number here. */
  @Test
  void deleteBeside_fileThatIsBeingWritten_stays() throws IOException {
    Path file = file("temp-" + DEAD + ".rdb", Duration.ofSeconds(10));
    delete();
    assertThat(file).exists();
  }

  @Test
  void deleteBeside_fileOfAnotherLiveProcess_stays() throws IOException {
    Path file = file("temp-1.rdb", Duration.ofHours(1));
    delete();
    assertThat(file).exists();
  }

  @Test
  void deleteBeside_otherNames_stay() throws IOException {
    for (String name :
        new String[] {
          "temp-" + DEAD + ".rdb.bak",
          "my-temp-" + DEAD + ".rdb",
          "temp-x" + DEAD + ".rdb",
          "temp-.rdb",
          "temp-123456789012345678901234567890.rdb",
          "dump.rdb"
        }) {
      Path file = file(name, Duration.ofHours(1));
      delete();
      assertThat(file).exists();
    }
    Path folder = Files.createDirectory(directory.resolve("temp-" + DEAD + ".rdb"));
    delete();
    assertThat(folder).exists();
  }
}
