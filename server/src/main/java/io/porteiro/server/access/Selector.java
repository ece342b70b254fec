package io.porteiro.server.access;

import io.porteiro.server.glob.GlobPattern;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Commands, the keys they may touch and the channels they may use. A command is permitted where one
 * selector of a user permits all of it. Immutable.
 */
public final class Selector {
  private final AllowedCommands commands;
  private final boolean allKeys;
  private final List<KeyPattern> keys;
  private final boolean allChannels;
  private final Map<String, GlobPattern> channels;

  Selector(
      AllowedCommands commands,
      boolean allKeys,
      List<KeyPattern> keys,
      boolean allChannels,
      List<String> channels) {
    this.commands = commands;
    this.allKeys = allKeys;
    this.keys = List.copyOf(keys);
    this.allChannels = allChannels;
    this.channels = new LinkedHashMap<>();
    channels.forEach(pattern -> this.channels.put(pattern, GlobPattern.of(bytes(pattern))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Whether it permits everything. */
  boolean isUnrestricted() {
    return commands.isAll() && allKeys && allChannels;
  }

  /** Whether a command is allowed whatever its arguments are. */
  public boolean allowsCommand(int command) {
    return commands.contains(command);
  }

  /** Whether some first arguments of a command are allowed that is not allowed itself. */
  public boolean hasFirstArguments(int command) {
    return commands.hasFirstArguments(command);
  }

  /** Whether a command is allowed with this first argument, in any case. */
  public boolean allowsFirstArgument(int command, String argument) {
    return commands.allowsFirstArgument(command, argument.toLowerCase(Locale.ROOT));
  }

  public boolean allowsAllKeys() {
    return allKeys;
  }

  /**
   * Whether a key outside the heap may be read or written; with neither, whether it may be asked
   * about: any right on it will do.
   */
  public boolean allowsKey(long address, int length, boolean read, boolean write) {
    if (allKeys) {
      return true;
    }
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i).allows(address, length, read, write)) {
        return true;
      }
    }
    return false;
  }

  public boolean allowsAllChannels() {
    return allChannels;
  }

  /** Whether a channel, given as bytes, matches one of the patterns. */
  public boolean allowsChannel(byte[] channel) {
    return allChannels || channels.values().stream().anyMatch(glob -> glob.matches(channel));
  }

  /** Whether a pattern may be subscribed to: it must be allowed literally. */
  public boolean allowsChannelPattern(String pattern) {
    return allChannels || channels.containsKey(pattern);
  }

  /** Whether it has all the channel rights of another one, looked at as texts. */
  boolean hasChannelsOf(Selector other) {
    return allChannels
        || (!other.allChannels && channels.keySet().containsAll(other.channels.keySet()));
  }

  AllowedCommands commands() {
    return commands;
  }

  List<KeyPattern> keys() {
    return keys;
  }

  List<String> channels() {
    return List.copyOf(channels.keySet());
  }

  /** The rules of its commands: {@code -@all +get}. */
  public String commandRules() {
    return commands.toString();
  }

  /** The rules of its keys: {@code ~a* %R~b}; may be empty. */
  public String keyRules() {
    return allKeys
        ? "~*"
        : keys.stream().map(KeyPattern::toString).collect(Collectors.joining(" "));
  }

  /** The rules of its channels: {@code &news}; may be empty. */
  public String channelRules() {
    return allChannels
        ? "&*"
        : channels.keySet().stream().map(name -> "&" + name).collect(Collectors.joining(" "));
  }

  /** The rules that make it anew. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    add(text, keyRules());
    add(text, allChannels ? "" : "resetchannels");
    add(text, channelRules());
    add(text, commandRules());
    return text.toString();
  }

  private static void add(StringBuilder text, String rules) {
    if (!rules.isEmpty()) {
      text.append(text.isEmpty() ? "" : " ").append(rules);
    }
  }
}
