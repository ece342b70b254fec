package io.porteiro.server.config;

import java.util.List;

/**
 * A {@code user} line of a configuration: what its rules mean is for others to say, and what is
 * wrong with them is reported with the place.
 */
public final class UserLine {
  private final List<String> words;
  private final ConfigSource source;
  private final int index;

  /**
   * @param index of the line in the source
   */
  UserLine(List<String> words, ConfigSource source, int index) {
    this.words = List.copyOf(words);
    this.source = source;
    this.index = index;
  }

  public String name() {
    return words.getFirst();
  }

  /** The words behind the name. */
  public List<String> rules() {
    return words.subList(1, words.size());
  }

  /** The error to end the start with. */
  public FatalConfigException refused(String reason) {
    return FatalConfigException.atLine(source, index, new ConfigException(reason));
  }
}
