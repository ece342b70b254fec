package io.porteiro.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.porteiro.server.glob.GlobPattern;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that an {@code include} stands for: wildcards may be in any part of the path. */
final class IncludeFiles {
  private IncludeFiles() {}

  static List<Path> named(String byteText) throws ConfigException {
    if (!GlobPattern.hasWildcards(byteText)) {
      return List.of(ByteText.path(byteText));
    }
    String text = ByteText.toText(byteText);
    List<Path> found = new ArrayList<>(List.of(Path.of(text.startsWith("/") ? "/" : "")));
    for (String part : text.split("/", -1)) {
      if (!part.isEmpty()) {
        found = step(found, part);
      }
    }
    return found.stream().filter(Files::isRegularFile).toList();
  }

  private static List<Path> step(List<Path> directories, String part) throws ConfigException {
    List<Path> found = new ArrayList<>();
    for (Path directory : directories) {
      if (GlobPattern.hasWildcards(part)) {
        found.addAll(matching(directory, part));
      } else {
        found.add(directory.resolve(part));
      }
    }
    return found;
  }

  private static List<Path> matching(Path directory, String part) throws ConfigException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(directory, entry -> matches(entry.getFileName(), part))) {
      entries.forEach(found::add);
    } catch (IOException e) {
      throw new ConfigException("can't read directory " + directory + ": " + e.getMessage());
    }
    Collections.sort(found);
    return found;
  }

  /** As in a shell, a wildcard does not stand for the dot of a hidden file. */
  private static boolean matches(@Nullable Path fileName, String part) {
    String name = String.valueOf(fileName);
    return (!name.startsWith(".") || part.startsWith("."))
        && GlobPattern.of(part.getBytes(UTF_8)).matches(name.getBytes(UTF_8));
  }
}
