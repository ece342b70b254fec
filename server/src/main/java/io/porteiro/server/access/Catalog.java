package io.porteiro.server.access;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands that rules can name. Each command and subcommand has a number, and a set of commands
 * is a bitmap over these. Rules may also name commands of Redis that are not here: users of a Redis
 * can so be taken over as they are, and what they allow or deny of those has no effect.
 */
public final class Catalog {
  /** All categories, Redis's own in its order, then those of the built-in modules. */
  public static final List<String> CATEGORIES =
      List.of(
          "keyspace",
          "read",
          "write",
          "set",
          "sortedset",
          "list",
          "hash",
          "string",
          "bitmap",
          "hyperloglog",
          "geo",
          "stream",
          "pubsub",
          "admin",
          "fast",
          "slow",
          "blocking",
          "dangerous",
          "connection",
          "transaction",
          "scripting",
          "bloom");

  /**
   * A command or subcommand.
   *
   * @param id below {@link Catalog#size}; {@link #ABSENT} if there is no such command here
   * @param name in lower case; of a subcommand {@code config|get}
   */
  public record Command(
      int id, String name, Collection<String> categories, List<Command> subcommands) {
    private static final int ABSENT = -1;

    static Command absent(String name, List<String> subcommands) {
      List<Command> all = subcommands.stream().map(one -> absent(one, List.of())).toList();
      return new Command(ABSENT, name, List.of(), all);
    }

    boolean isAbsent() {
      return id == ABSENT;
    }

    boolean isSubcommand() {
      return name.indexOf('|') >= 0;
    }

    /** Adds it and its subcommands to a set, or takes them away. */
    void set(BitSet commands, boolean value) {
      if (!isAbsent()) {
        commands.set(id, value);
        subcommands.forEach(subcommand -> subcommand.set(commands, value));
      }
    }
  }

  private final Map<String, Command> byName = new LinkedHashMap<>();
  private final Map<String, BitSet> byCategory = new HashMap<>();
  private final BitSet all = new BitSet();

  /** Read from a file when a rule first names a command that is not here. */
  private volatile @Nullable Map<String, Command> absent;

  /**
   * @param commands with their subcommands; numbered without gaps
   */
  public Catalog(Collection<Command> commands) {
    CATEGORIES.forEach(category -> byCategory.put(category, new BitSet()));
    commands.forEach(this::add);
  }

  private Map<String, Command> absent() {
    Map<String, Command> known = absent;
    if (known == null) {
      Map<String, Command> read = new HashMap<>();
      RedisCommands.names().forEach((name, subcommands) -> addAbsent(name, subcommands, read));
      absent = known = read;
    }
    return known;
  }

  /** A command that has no subcommands here gets none: what follows it is a first argument. */
  private void addAbsent(String name, List<String> subcommands, Map<String, Command> to) {
    Command here = byName.get(name);
    if (here == null || !here.subcommands.isEmpty()) {
      Command command = Command.absent(name, subcommands);
      to.put(name, command);
      command.subcommands.forEach(one -> to.put(one.name, one));
    }
  }

  private void add(Command command) {
    byName.put(command.name, command);
    command.set(all, true);
    command.categories.forEach(category -> command.set(category(category), true));
    command.subcommands.forEach(this::add);
  }

  private BitSet category(String name) {
    return byCategory.computeIfAbsent(name, absent -> new BitSet());
  }

  /** How many commands and subcommands there are. */
  int size() {
    return all.cardinality();
  }

  BitSet all() {
    return (BitSet) all.clone();
  }

  /** By its name in any case; null if there is none. */
  @Nullable Command find(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Command here = byName.get(lower);
    return here != null ? here : absent().get(lower);
  }

  /**
   * The commands of a category. A container that belongs to it brings all its subcommands, whatever
   * categories those have: that is how Redis counts.
   *
   * @param category in any case, without the {@code @}
   * @return null if there is no such category
   */
  @Nullable BitSet commandsOf(String category) {
    return byCategory.get(category.toLowerCase(Locale.ROOT));
  }

  /**
   * The names of the commands and subcommands that say themselves that they belong to a category.
   *
   * @return null if there is no such category
   */
  public @Nullable List<String> namesOf(String category) {
    String name = category.toLowerCase(Locale.ROOT);
    if (!byCategory.containsKey(name)) {
      return null;
    }
    List<String> names = new ArrayList<>();
    for (Command command : byName.values()) {
      if (command.categories.contains(name)) {
        names.add(command.name);
      }
    }
    return Collections.unmodifiableList(names);
  }
}
