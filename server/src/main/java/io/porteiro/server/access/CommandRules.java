package io.porteiro.server.access;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The commands that a selector allows, while its rules are being applied: a bitmap, and the rules
 * in the order in which they came. A rule that makes an earlier one meaningless takes it away.
 */
final class CommandRules {
  private final Catalog catalog;
  private final BitSet allowed;
  private final Map<Integer, Set<String>> firstArguments = new HashMap<>();
  private final List<String> rules;
  private boolean fromAll;

  /** Nothing is allowed. */
  CommandRules(Catalog catalog) {
    this.catalog = catalog;
    this.allowed = new BitSet();
    this.rules = new ArrayList<>();
  }

  /** As a selector has it. */
  CommandRules(Catalog catalog, AllowedCommands commands) {
    this.catalog = catalog;
    this.allowed = commands.bits();
    this.rules = new ArrayList<>(commands.rules());
    this.fromAll = commands.isFromAll();
    commands.firstArguments().forEach((id, words) -> firstArguments.put(id, new HashSet<>(words)));
  }

  AllowedCommands build() {
    return new AllowedCommands(
        allowed, firstArguments, fromAll, rules, allowed.cardinality() == catalog.size());
  }

  void allowAll() {
    startFrom(catalog.all(), true);
  }

  void denyAll() {
    startFrom(new BitSet(), false);
  }

  private void startFrom(BitSet commands, boolean all) {
    allowed.clear();
    allowed.or(commands);
    fromAll = all;
    firstArguments.clear();
    rules.clear();
  }

  /** A rule with a leading sign: {@code +get}, {@code -@dangerous}, {@code +config|get}. */
  void apply(String rule) throws RuleException {
    boolean allow = rule.charAt(0) == '+';
    String name = rule.substring(1).toLowerCase(Locale.ROOT);
    if (name.startsWith("@")) {
      applyCategory(rule, name, allow);
    } else if (allow && name.indexOf('|') >= 0) {
      allowPart(rule, name);
    } else {
      applyCommand(rule, name, allow);
    }
  }

  private void applyCategory(String rule, String name, boolean allow) throws RuleException {
    BitSet commands = catalog.commandsOf(name.substring(1));
    if (commands == null) {
      throw new RuleException(RuleError.UNKNOWN_COMMAND, rule);
    }
    if (allow) {
      allowed.or(commands);
    } else {
      allowed.andNot(commands);
    }
    firstArguments.keySet().removeIf(commands::get);
    note(name, allow);
  }

  private void applyCommand(String rule, String name, boolean allow) throws RuleException {
    Catalog.Command command = find(rule, name);
    command.set(allowed, allow);
    firstArguments.remove(command.id());
    note(name, allow);
  }

  /**
   * A subcommand; or a first argument of a command without subcommands, such as {@code select|0}.
   */
  private void allowPart(String rule, String name) throws RuleException {
    int bar = name.lastIndexOf('|');
    Catalog.Command whole = find(rule, name.substring(0, bar));
    if (whole.isSubcommand()) {
      throw new RuleException(RuleError.FIRST_ARGUMENT_OF_SUBCOMMAND, rule);
    }
    if (bar == name.length() - 1) {
      throw new RuleException(RuleError.SYNTAX, rule);
    }
    if (whole.subcommands().isEmpty()) {
      allowFirstArgument(whole, name.substring(bar + 1));
      note(name, true);
    } else {
      applyCommand(rule, name, true);
    }
  }

  private void allowFirstArgument(Catalog.Command command, String argument) {
    if (!command.isAbsent()) {
      firstArguments.computeIfAbsent(command.id(), id -> new HashSet<>()).add(argument);
    }
  }

  private Catalog.Command find(String rule, String name) throws RuleException {
    Catalog.Command command = catalog.find(name);
    if (command == null) {
      throw new RuleException(RuleError.UNKNOWN_COMMAND, rule);
    }
    return command;
  }

  private void note(String name, boolean allow) {
    rules.removeIf(earlier -> isPartOf(earlier.substring(1), name));
    rules.add((allow ? "+" : "-") + name);
  }

  private static boolean isPartOf(String earlier, String name) {
    return earlier.equals(name) || earlier.startsWith(name + "|");
  }
}
