package io.porteiro.server.access;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A selector while rules are applied to it. */
final class SelectorRules {
  private final Map<String, KeyPattern> keys = new LinkedHashMap<>();
  private final Set<String> channels = new LinkedHashSet<>();
  private final CommandRules commands;
  private boolean allKeys;
  private boolean allChannels;

  /** Nothing is permitted, but for all channels where that is the default. */
  SelectorRules(Catalog catalog, boolean allChannels) {
    this.commands = new CommandRules(catalog);
    this.allChannels = allChannels;
  }

  /** As a selector has it. */
  SelectorRules(Catalog catalog, Selector selector) {
    this.commands = new CommandRules(catalog, selector.commands());
    this.allKeys = selector.allowsAllKeys();
    this.allChannels = selector.allowsAllChannels();
    selector.keys().forEach(pattern -> keys.put(pattern.pattern(), pattern));
    channels.addAll(selector.channels());
  }

  /** Where {@code %R~*} and {@code %W~*} add up to all keys, other patterns no longer matter. */
  Selector build() {
    boolean all = allKeys || keys.values().stream().anyMatch(KeyPattern::isEverything);
    return new Selector(
        commands.build(),
        all,
        all ? List.of() : List.copyOf(keys.values()),
        allChannels,
        List.copyOf(channels));
  }

  void apply(String rule) throws RuleException {
    switch (rule.toLowerCase(Locale.ROOT)) {
      case "allkeys", "~*" -> setAllKeys(true);
      case "resetkeys" -> setAllKeys(false);
      case "allchannels", "&*" -> setAllChannels(true);
      case "resetchannels" -> setAllChannels(false);
      case "allcommands", "+@all" -> commands.allowAll();
      case "nocommands", "-@all" -> commands.denyAll();
      default -> applySigned(rule);
    }
  }

  private void applySigned(String rule) throws RuleException {
    switch (rule.charAt(0)) {
      case '~', '%' -> addKeys(rule);
      case '&' -> addChannels(rule);
      case '+', '-' -> commands.apply(rule);
      default -> throw new RuleException(RuleError.SYNTAX, rule);
    }
  }

  private void setAllKeys(boolean all) {
    allKeys = all;
    keys.clear();
  }

  void setAllChannels(boolean all) {
    allChannels = all;
    channels.clear();
  }

  private void addKeys(String rule) throws RuleException {
    if (allKeys) {
      throw new RuleException(RuleError.KEYS_AFTER_ALL, rule);
    }
    KeyPattern pattern = KeyPattern.parse(rule);
    if (RuleText.hasSpaces(rule)) {
      throw new RuleException(RuleError.SYNTAX, rule);
    }
    if (pattern.isEverything()) {
      setAllKeys(true);
    } else {
      keys.merge(pattern.pattern(), pattern, KeyPattern::and);
    }
  }

  private void addChannels(String rule) throws RuleException {
    if (allChannels) {
      throw new RuleException(RuleError.CHANNELS_AFTER_ALL, rule);
    }
    if (RuleText.hasSpaces(rule)) {
      throw new RuleException(RuleError.SYNTAX, rule);
    }
    channels.add(rule.substring(1));
  }
}
