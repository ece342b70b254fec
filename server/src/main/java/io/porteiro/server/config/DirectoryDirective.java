package io.porteiro.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code dir}: a directory that exists. Redis changes its working directory to it; a Java process
 * cannot, so the value is the absolute path.
 */
final class DirectoryDirective extends TextDirective {
  DirectoryDirective(String name) {
    super(name, ByteText.ofText(Path.of("").toAbsolutePath().toString()));
  }

  /** A relative path starts from the value so far, as with a second change of directory. */
  @Override
  String parse(List<String> words) throws ConfigException {
    Path path = ByteText.path(get()).resolve(ByteText.path(words.getFirst())).normalize();
    if (!Files.exists(path)) {
      throw new ConfigException("No such file or directory");
    }
    if (!Files.isDirectory(path)) {
      throw new ConfigException("Not a directory");
    }
    return ByteText.ofText(path.toString());
  }
}
