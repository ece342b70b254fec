package io.porteiro.server.config;

import io.porteiro.server.config.Directive.Trait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings at start: a file, standard input, options, in this order. Of several values for a
 * directive the last counts, but for those that add up ({@code save}).
 */
final class ConfigLoader {
  private static final int MAX_INCLUDE_DEPTH = 16;
  private static final String BAD_DIRECTIVE = "Bad directive or wrong number of arguments";

  private final ServerConfig config;
  private final Map<Directive<?>, Boolean> seen = new HashMap<>();
  private int includeDepth;
  private ConfigSource source = ConfigSource.ofText(null, 1, "");
  private int line;

  ConfigLoader(ServerConfig config) {
    this.config = config;
  }

  void readFile(Path file) throws FatalConfigException {
    read(ConfigSource.ofText(file.toString(), 1, text(file)));
  }

  private static String text(Path file) throws FatalConfigException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new FatalConfigException(
          "Fatal error, can't open config file '" + file + "': " + reason(e) + "\n");
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException ? "No such file or directory" : String.valueOf(e);
  }

  void read(ConfigSource lines) throws FatalConfigException {
    for (int i = 0; i < lines.lines().size(); i++) {
      source = lines;
      line = i;
      try {
        readLine(lines.lines().get(i).strip());
      } catch (ConfigException e) {
        throw FatalConfigException.atLine(lines, i, e);
      }
    }
  }

  private void readLine(String line) throws ConfigException, FatalConfigException {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    List<String> words = ConfigText.split(line);
    if (words == null) {
      throw new ConfigException("Unbalanced quotes in configuration line");
    }
    String name = words.getFirst().toLowerCase(Locale.ROOT);
    if (name.equals("include")) {
      include(words.subList(1, words.size()));
    } else {
      read(name, words.subList(1, words.size()));
    }
  }

  /** Takes one directive with its words, from wherever they come. */
  void read(String name, List<String> words) throws ConfigException {
    Directive<?> directive = config.directives().find(name);
    if (directive != null) {
      assign(directive, words);
    } else {
      readSpecial(name, words);
    }
  }

  private <T> void assign(Directive<T> directive, List<String> words) throws ConfigException {
    boolean first = seen.put(directive, true) == null;
    @Nullable T before = first ? null : directive.get();
    directive.assign(directive.accepted(directive.parseLine(arguments(directive, words), before)));
  }

  private static List<String> arguments(Directive<?> directive, List<String> words)
      throws ConfigException {
    if (directive.is(Trait.WORDS)) {
      return words.size() == 1 ? wordsWithin(words.getFirst()) : words;
    }
    if (words.size() != 1) {
      throw new ConfigException("wrong number of arguments");
    }
    return words;
  }

  /** Several words may also come as a single quoted one, as in {@code save "3600 1"}. */
  private static List<String> wordsWithin(String word) throws ConfigException {
    List<String> words = ConfigText.split(word);
    if (words == null) {
      throw new ConfigException("Unbalanced quotes in configuration line");
    }
    return words.isEmpty() ? List.of("") : words;
  }

  private void readSpecial(String name, List<String> words) throws ConfigException {
    switch (name) {
      case "rename-command" -> renameCommand(words);
      case "loadmodule" -> loadModule(words);
      case "user" -> addUser(words);
      default -> throw new ConfigException(BAD_DIRECTIVE);
    }
  }

  private void renameCommand(List<String> words) throws ConfigException {
    if (words.size() != 2) {
      throw new ConfigException(BAD_DIRECTIVE);
    }
    config.renameCommand(words.get(0).toLowerCase(Locale.ROOT), words.get(1));
  }

  private void addUser(List<String> words) throws ConfigException {
    if (words.isEmpty()) {
      throw new ConfigException(BAD_DIRECTIVE);
    }
    config.addUserLine(new UserLine(words, source, line));
  }

  private void loadModule(List<String> words) throws ConfigException {
    if (words.isEmpty()) {
      throw new ConfigException(BAD_DIRECTIVE);
    }
    ModuleLine.read(this, words);
  }

  /** A missing file is an error, but a pattern that nothing matches is not. */
  private void include(List<String> words) throws ConfigException, FatalConfigException {
    if (words.size() != 1) {
      throw new ConfigException(BAD_DIRECTIVE);
    }
    if (includeDepth == MAX_INCLUDE_DEPTH) {
      throw new ConfigException("include files are nested too deeply");
    }
    includeDepth++;
    for (Path file : IncludeFiles.named(words.getFirst())) {
      readFile(file);
    }
    includeDepth--;
  }
}
