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
 * <p>Open addressing. A name is read as two words, its first and its last eight bytes, which may
 * overlap; they are brought to lower case as words, hashed and compared. Only longer names than
 * sixteen bytes are looked at once more.
 */
public final class CommandTable {
  private static final int WORDS_BYTES = 2 * Long.BYTES;
  private static final long EACH_BYTE = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Map<String, CommandSpec> byName;
  private final List<CommandSpec> byId = new ArrayList<>();
  private final @Nullable CommandSpec[] slots;
  private final byte[] @Nullable [] names;
  private final long[] firstWords;
  private final long[] lastWords;
  private final int mask;
  private final Collection<CommandSpec> all;

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
    firstWords = new long[slotCount];
    lastWords = new long[slotCount];
    mask = slotCount - 1;
    byName.forEach(this::add);
    this.all = all;
    numberRemoved();
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

  /** Those that were taken away are numbered behind all others. */
  private void numberRemoved() {
    int next = byId.size();
    for (CommandSpec spec : all) {
      next = numberIfRemoved(spec, next);
    }
  }

  private int numberIfRemoved(CommandSpec spec, int next) {
    if (spec.id() >= 0 && spec.id() < byId.size() && byId.get(spec.id()) == spec) {
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

  /**
   * Makes the list of what access rules can name: the commands under their own names, whatever they
   * are called here.
   */
  public Catalog catalog() {
    return new Catalog(all.stream().map(CommandTable::catalogued).toList());
  }

  private void add(String commandName, CommandSpec spec) {
    number(spec);
    spec.subcommands().forEach(this::number);
    byte[] name = commandName.getBytes(StandardCharsets.ISO_8859_1);
    long first = firstWord(name);
    long last = lastWord(name);
    int slot = slot(first, last, name.length);
    while (slots[slot] != null) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = spec;
    names[slot] = name;
    firstWords[slot] = first;
    lastWords[slot] = last;
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
    long first = lowerCase(firstWord(address, length));
    long last = lowerCase(lastWord(address, length));
    int slot = slot(first, last, length);
    for (CommandSpec spec = slots[slot]; spec != null; spec = slots[slot]) {
      if (firstWords[slot] == first && lastWords[slot] == last && isName(slot, address, length)) {
        return spec;
      }
      slot = (slot + 1) & mask;
    }
    return null;
  }

  /** Where the words agree. */
  private boolean isName(int slot, long address, int length) {
    byte[] name = names[slot];
    return name != null
        && name.length == length
        && (length <= WORDS_BYTES || matches(name, address, length));
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

  private int slot(long first, long last, int length) {
    long hash = ((first * MULTIPLIER) ^ (last + length)) * MULTIPLIER;
    return (int) (hash >>> 40) & mask;
  }

  /** The first eight bytes; of fewer something that only they give. */
  private static long firstWord(long address, int length) {
    if (length >= Long.BYTES) {
      return OffHeap.getLong(address);
    }
    if (length >= Integer.BYTES) {
      return word(OffHeap.getInt(address), OffHeap.getInt(address + length - Integer.BYTES));
    }
    return length == 0 ? 0 : word(OffHeap.getByte(address), shortRest(address, length));
  }

  private static int shortRest(long address, int length) {
    return OffHeap.getByte(address + length / 2) << Byte.SIZE
        | (OffHeap.getByte(address + length - 1) & 0xff);
  }

  private static long lastWord(long address, int length) {
    return length > Long.BYTES ? OffHeap.getLong(address + length - Long.BYTES) : 0;
  }

  /** The same of a name of the table. */
  private static long firstWord(byte[] name) {
    int length = name.length;
    if (length >= Long.BYTES) {
      return littleEndian(name, 0, Long.BYTES);
    }
    if (length >= Integer.BYTES) {
      return word(
          (int) littleEndian(name, 0, Integer.BYTES),
          (int) littleEndian(name, length - Integer.BYTES, Integer.BYTES));
    }
    return length == 0
        ? 0
        : word(name[0], name[length / 2] << Byte.SIZE | (name[length - 1] & 0xff));
  }

  private static long lastWord(byte[] name) {
    int length = name.length;
    return length > Long.BYTES ? littleEndian(name, length - Long.BYTES, Long.BYTES) : 0;
  }

  private static long word(int low, int high) {
    return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
  }

  private static long littleEndian(byte[] bytes, int from, int count) {
    long word = 0;
    for (int i = from + count - 1; i >= from; i--) {
      word = word << Byte.SIZE | (bytes[i] & 0xff);
    }
    return word;
  }

  /**
   * Sets bit 5 of each byte that is an ASCII capital: adding what is missing to 128 carries into
   * bit 7 from 'A' on, and again from behind 'Z' on.
   */
  private static long lowerCase(long word) {
    long low = word & ~HIGH_BITS;
    long fromA = low + (0x80 - 'A') * EACH_BYTE;
    long behindZ = low + (0x80 - 'Z' - 1) * EACH_BYTE;
    long capitals = (fromA ^ behindZ) & ~word & HIGH_BITS;
    return word | (capitals >>> 2);
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
