package io.porteiro.server.access;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The file that keeps the users, a line each: {@code aclfile}. */
public final class UserFile {
  private final Path path;
  private final String name;

  /**
   * @param path where it is
   * @param name what errors call it
   */
  public UserFile(Path path, String name) {
    this.path = path;
    this.name = name;
  }

  /**
   * ACL LOAD: puts the users of the file in the place of all.
   *
   * @return what changed
   * @throws UserFileException if a line is wrong, with all that is; nothing is changed then
   */
  public List<UserChange> load(Users users) throws UserFileException {
    return users.replaceAll(new UserLines(users, name).parse(text()));
  }

  private String text() throws UserFileException {
    try {
      return Files.isDirectory(path) ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw cannotOpen("No such file or directory");
    } catch (IOException e) {
      throw cannotOpen(String.valueOf(e));
    }
  }

  private UserFileException cannotOpen(String reason) {
    return new UserFileException("Error loading ACLs, opening file '" + name + "': " + reason);
  }

  /**
   * ACL SAVE: writes all users. A crash leaves the old file or the new one, never a part.
   *
   * @throws IOException if it cannot be written; the old file is still there
   */
  public void save(Users users) throws IOException {
    String text = users.all().stream().map(user -> user + "\n").collect(Collectors.joining());
    Path absolute = path.toAbsolutePath();
    Path temporary = Files.createTempFile(absolute.getParent(), path.getFileName() + ".", ".tmp");
    try {
      Files.writeString(temporary, text, StandardCharsets.ISO_8859_1);
      Files.setPosixFilePermissions(temporary, permissions());
      sync(temporary, StandardOpenOption.WRITE);
      Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
      sync(absolute.getParent(), StandardOpenOption.READ);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Those of the old file; without one it is nobody else's to read. */
  private Set<PosixFilePermission> permissions() throws IOException {
    return Files.isRegularFile(path)
        ? Files.getPosixFilePermissions(path)
        : PosixFilePermissions.fromString("rw-------");
  }

  private static void sync(@Nullable Path file, StandardOpenOption option) throws IOException {
    if (file != null) {
      try (FileChannel channel = FileChannel.open(file, option)) {
        channel.force(true);
      }
    }
  }
}
