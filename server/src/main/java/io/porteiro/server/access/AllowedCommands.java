package io.porteiro.server.access;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The commands that a selector allows, as a bitmap and as the rules that made it. Immutable. */
final class AllowedCommands {
  private final BitSet bits;
  private final Map<Integer, Set<String>> firstArguments;
  private final boolean fromAll;
  private final List<String> rules;
  private final boolean all;

  AllowedCommands(
      BitSet bits,
      Map<Integer, Set<String>> firstArguments,
      boolean fromAll,
      List<String> rules,
      boolean all) {
    this.bits = (BitSet) bits.clone();
    this.firstArguments =
        firstArguments.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    this.fromAll = fromAll;
    this.rules = List.copyOf(rules);
    this.all = all;
  }

  boolean contains(int command) {
    return bits.get(command);
  }

  /** Whether each command is allowed. */
  boolean isAll() {
    return all;
  }

  /** Whether a command that is not allowed itself is with this first argument, in lower case. */
  boolean allowsFirstArgument(int command, String argument) {
    return firstArguments.getOrDefault(command, Set.of()).contains(argument);
  }

  boolean hasFirstArguments(int command) {
    return firstArguments.containsKey(command);
  }

  BitSet bits() {
    return (BitSet) bits.clone();
  }

  Map<Integer, Set<String>> firstArguments() {
    return firstArguments;
  }

  /** Whether the rules begin with all commands; else with none. */
  boolean isFromAll() {
    return fromAll;
  }

  /** The rules after that. */
  List<String> rules() {
    return rules;
  }

  /** The rules that allow just these: {@code +@all -config}. */
  @Override
  public String toString() {
    String start = fromAll ? "+@all" : "-@all";
    return rules.isEmpty() ? start : start + " " + String.join(" ", rules);
  }
}
