package io.porteiro.server.config;

import java.util.List;

/** The name of a file or directory within {@code dir}; a path could lead out of it. */
final class FileNameDirective extends TextDirective {
  private final String kind;

  /**
   * @param kind what Redis calls it in its error, such as "filename"
   */
  FileNameDirective(String name, String kind, String defaultValue) {
    super(name, defaultValue);
    this.kind = kind;
  }

  @Override
  String parse(List<String> words) throws ConfigException {
    String fileName = words.getFirst();
    if (fileName.indexOf('/') >= 0) {
      throw new ConfigException(name() + " can't be a path, just a " + kind);
    }
    return fileName;
  }
}
