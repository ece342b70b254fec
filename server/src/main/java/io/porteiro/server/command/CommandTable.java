package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.access.Catalog;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All commands, found by the bytes of their name in any case, without making a string of them.
 *
 * <p>Open addressing; the hash reads the name by words with bit 5 of every byte set, which makes
 * ASCII letters of either case equal. Bytes that are equal only so are told apart by the
 * comparison.
 */
public final class CommandTable {
  private static final long LOWER_CASE = 0x2020202020202020L;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Map<String, CommandSpec> byName;
  private final List<CommandSpec> byId = new ArrayList<>();
  private final @Nullable CommandSpec[] slots;
  private final byte[] @Nullable [] names;
  private final int mask;
  private final Catalog catalog;

  public CommandTable(Collection<CommandSpec> commands) {
    this(byName(commands), commands);
  }

  /**
   * @param all also those that have no name any more
   */
  private CommandTable(Map<String, CommandSpec> byName, Collection<CommandSpec> all) {
    this.byName = byName;
    int slotCount = Integer.highestOneBit(byName.size() * 4 + 4);
    slots = new CommandSpec[slotCount];
    names = new byte[slotCount][];
    mask = slotCount - 1;
    byName.forEach(this::add);
    catalog = catalog(all);
  }

  /**
   * A table in which commands have other names, or none: {@code rename-command}.
   *
   * @param renames new names by old ones, in the order in which they apply; an empty new name takes
   *     the command away
   * @throws ConfigException in Redis's words, where there is no such command or the name is taken
   */
  public static CommandTable of(Collection<CommandSpec> commands, Map<String, String> renames)
      throws ConfigException {
    Map<String, CommandSpec> byName = byName(commands);
    for (Map.Entry<String, String> rename : renames.entrySet()) {
      rename(byName, rename.getKey(), rename.getValue().toLowerCase(Locale.ROOT));
    }
    return new CommandTable(byName, commands);
  }

  private static void rename(Map<String, CommandSpec> byName, String name, String newName)
      throws ConfigException {
    CommandSpec spec = byName.remove(name.toLowerCase(Locale.ROOT));
    if (spec == null) {
      throw new ConfigException("No such command in rename-command: " + name);
    }
    if (!newName.isEmpty() && byName.putIfAbsent(newName, spec) != null) {
      throw new ConfigException("Target command name already exists: " + newName);
    }
  }

  private static Map<String, CommandSpec> byName(Collection<CommandSpec> commands) {
    Map<String, CommandSpec> byName = new LinkedHashMap<>();
    for (CommandSpec spec : commands) {
      if (byName.put(spec.name(), spec) != null) {
        throw new IllegalArgumentException("two commands named " + spec.name());
      }
    }
    return byName;
  }

  /**
   * What access rules can name: the commands under their own names, whatever they are called here;
   * those that were taken away are numbered behind all others.
   */
  private Catalog catalog(Collection<CommandSpec> all) {
    int next = byId.size();
    for (CommandSpec spec : all) {
      next = numberIfRemoved(spec, next);
    }
    return new Catalog(all.stream().map(CommandTable::catalogued).toList());
  }

  private int numberIfRemoved(CommandSpec spec, int next) {
    if (byId.contains(spec)) {
      return next;
    }
    int id = next;
    spec.setId(id++);
    for (CommandSpec subcommand : spec.subcommands()) {
      subcommand.setId(id++);
    }
    return id;
  }

  private static Catalog.Command catalogued(CommandSpec spec) {
    return new Catalog.Command(
        spec.id(),
        spec.fullName(),
        spec.categories(),
        spec.subcommands().stream().map(CommandTable::catalogued).toList());
  }

  /** What access rules can name. */
  public Catalog catalog() {
    return catalog;
  }

  private void add(String commandName, CommandSpec spec) {
    number(spec);
    spec.subcommands().forEach(this::number);
    byte[] name = commandName.getBytes(StandardCharsets.ISO_8859_1);
    int slot = slot(hash(name));
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = spec;
    names[slot] = name;
  }

  private void number(CommandSpec spec) {
    spec.setId(byId.size());
    byId.add(spec);
  }

  /** All commands, without their subcommands. */
  public List<CommandSpec> commands() {
    return List.copyOf(byName.values());
  }

  /** All commands and subcommands; the index is their {@link CommandSpec#id}. */
  public List<CommandSpec> byId() {
    return Collections.unmodifiableList(byId);
  }

  /** The command that a request names, not looking at subcommands; null if there is none. */
  @Nullable CommandSpec find(Request request) {
    long address = request.address(0);
    int length = request.length(0);
    int slot = slot(hash(address, length));
    for (CommandSpec spec = slots[slot]; spec != null; spec = slots[slot]) {
      byte[] name = names[slot];
      if (name != null && matches(name, address, length)) {
        return spec;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /** By name in any case, {@code get} or {@code config|get}; null if there is none. */
  public @Nullable CommandSpec find(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    int bar = lower.indexOf('|');
    String command = bar < 0 ? lower : lower.substring(0, bar);
    CommandSpec spec = byName.get(command);
    return spec == null || bar < 0 ? spec : spec.subcommand(lower.substring(bar + 1));
  }

  /**
   * The command that two words name: where it is a container, its subcommand; null if there is
   * none.
   *
   * @param second null if the name is the only word
   */
  public @Nullable CommandSpec find(String name, @Nullable String second) {
    CommandSpec spec = byName.get(name.toLowerCase(Locale.ROOT));
    return spec == null || second == null || !spec.hasSubcommands()
        ? spec
        : spec.subcommand(second.toLowerCase(Locale.ROOT));
  }

  private int slot(long hash) {
    return (int) (hash >>> 40) & mask;
  }

  private static long hash(long address, int length) {
    long hash = length;
    int i = 0;
    for (; i + 8 <= length; i += 8) {
      hash = (hash ^ (OffHeap.getLong(address + i) | LOWER_CASE)) * MULTIPLIER;
    }
    long tail = 0;
    for (int j = length - 1; j >= i; j--) {
      tail = tail << 8 | (OffHeap.getByte(address + j) & 0xff);
    }
    return (hash ^ (tail | LOWER_CASE)) * MULTIPLIER;
  }

  private static long hash(byte[] name) {
    long hash = name.length;
    int i = 0;
    for (; i + 8 <= name.length; i += 8) {
      hash = (hash ^ (word(name, i, 8) | LOWER_CASE)) * MULTIPLIER;
    }
    return (hash ^ (word(name, i, name.length - i) | LOWER_CASE)) * MULTIPLIER;
  }

  private static long word(byte[] name, int from, int length) {
    long word = 0;
    for (int j = from + length - 1; j >= from; j--) {
      word = word << 8 | (name[j] & 0xff);
    }
    return word;
  }

  private static boolean matches(byte[] name, long address, int length) {
    if (name.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      byte b = OffHeap.getByte(address + i);
      if (name[i] != (b >= 'A' && b <= 'Z' ? b + 32 : b)) {
        return false;
      }
    }
    return true;
  }
}
