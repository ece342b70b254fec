package io.porteiro.server.command;

import io.porteiro.server.access.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One command, or one subcommand: what it is called, what it takes, what it may do, and the code
 * that does it. COMMAND INFO tells what stands here.
 */
public final class CommandSpec {
  private final String name;
  private final @Nullable String container;
  private final int arity;
  private final Set<CommandFlag> flags;

  /** The same, a bit for each. */
  private final long flagBits;

  private final List<String> categories;
  private final List<String> tips;
  private final List<KeySpec> keySpecs;
  private final ScopeKind scope;
  private final ChannelUse channelUse;
  private final boolean queued;
  private final boolean instant;
  private final @Nullable CommandParser parser;
  private final @Nullable Probe probe;
  private final Map<String, CommandSpec> subcommands;
  private int id = -1;

  private CommandSpec(Builder builder, @Nullable String container) {
    this.name = builder.name;
    this.container = container;
    this.arity = builder.arity;
    this.flags = EnumSet.copyOf(builder.flags);
    this.flagBits = flags.stream().mapToLong(CommandFlag::bit).sum();
    this.categories = List.copyOf(builder.allCategories());
    this.tips = List.copyOf(builder.tips);
    this.keySpecs = List.copyOf(builder.keySpecs);
    this.scope = builder.scopeOrDefault();
    this.channelUse = builder.channelUse;
    this.queued = builder.queued;
    this.instant = builder.instant;
    this.parser = builder.parser;
    this.probe = builder.probe;
    this.subcommands = new LinkedHashMap<>();
    for (Builder subcommand : builder.subcommands) {
      CommandSpec spec = new CommandSpec(subcommand, name);
      subcommands.put(spec.name, spec);
    }
  }

  /**
   * Begins the description of a command; the name in lower case, a subcommand's without its
   * container's.
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** The number under which it is counted, given by the {@link CommandTable}. */
  public int id() {
    return id;
  }

  void setId(int id) {
    this.id = id;
  }

  /** In lower case, without the container's. */
  public String name() {
    return name;
  }

  /** In lower case; of a subcommand {@code config|get}. */
  public String fullName() {
    return container == null ? name : container + "|" + name;
  }

  public boolean isSubcommand() {
    return container != null;
  }

  /** How many arguments it takes, its name included; negative: at least so many. */
  public int arity() {
    return arity;
  }

  /** Whether it takes so many arguments, its name included. */
  public boolean admits(int count) {
    return arity >= 0 ? count == arity : count >= -arity;
  }

  public boolean has(CommandFlag flag) {
    return (flagBits & flag.bit()) != 0;
  }

  public Set<CommandFlag> flags() {
    return flags;
  }

  /** ACL categories, without the '@', in Redis's order. */
  public List<String> categories() {
    return categories;
  }

  public List<String> tips() {
    return tips;
  }

  public List<KeySpec> keySpecs() {
    return keySpecs;
  }

  public ScopeKind scope() {
    return scope;
  }

  ChannelUse channelUse() {
    return channelUse;
  }

  /** Whether MULTI queues it, instead of executing it at once. */
  boolean isQueued() {
    return queued;
  }

  /** Whether a series of it is timed as a whole. */
  boolean isInstant() {
    return instant;
  }

  @Nullable Probe probe() {
    return probe;
  }

  /** The code, or null for a mere container of subcommands. */
  @Nullable CommandParser parser() {
    return parser;
  }

  boolean hasSubcommands() {
    return !subcommands.isEmpty();
  }

  public Collection<CommandSpec> subcommands() {
    return subcommands.values();
  }

  /** By its name in lower case; null if there is none. */
  public @Nullable CommandSpec subcommand(String subcommandName) {
    return subcommands.get(subcommandName);
  }

  @Override
  public String toString() {
    return fullName();
  }

  /** Collects what a command is. */
  public static final class Builder {
    private final String name;
    private final EnumSet<CommandFlag> flags = EnumSet.noneOf(CommandFlag.class);
    private final List<String> categories = new ArrayList<>();
    private final List<String> tips = new ArrayList<>();
    private final List<KeySpec> keySpecs = new ArrayList<>();
    private final List<Builder> subcommands = new ArrayList<>();
    private int arity;
    private boolean exactCategories;
    private boolean queued = true;
    private boolean instant;
    private @Nullable ScopeKind scope;
    private ChannelUse channelUse = ChannelUse.NONE;
    private @Nullable CommandParser parser;
    private @Nullable Probe probe;

    private Builder(String name) {
      this.name = name;
    }

    /** Number of arguments, the name (and the container's) included; negative: at least so many. */
    public Builder arity(int newArity) {
      arity = newArity;
      return this;
    }

    public Builder flags(CommandFlag... newFlags) {
      flags.addAll(Arrays.asList(newFlags));
      return this;
    }

    /** Categories besides those that follow from the flags. */
    public Builder categories(String... newCategories) {
      categories.addAll(Arrays.asList(newCategories));
      return this;
    }

    /** The categories, where none is to follow from the flags. */
    public Builder exactCategories(String... newCategories) {
      exactCategories = true;
      return categories(newCategories);
    }

    public Builder tips(String... newTips) {
      tips.addAll(Arrays.asList(newTips));
      return this;
    }

    public Builder keys(KeySpec... specs) {
      keySpecs.addAll(Arrays.asList(specs));
      return this;
    }

    /** Where it does not follow from the keys. */
    public Builder scope(ScopeKind newScope) {
      scope = newScope;
      return this;
    }

    /** What it does with channels that it names. */
    public Builder channels(ChannelUse use) {
      channelUse = use;
      return this;
    }

    /** Executed at once inside MULTI: EXEC, DISCARD and their like. */
    public Builder notQueued() {
      queued = false;
      return this;
    }

    /** It waits for no lock and has nothing to do that could take long. */
    public Builder instant() {
      instant = true;
      return this;
    }

    public Builder parser(CommandParser newParser) {
      parser = newParser;
      return this;
    }

    /**
     * Tries the read lock first, in runs. Requests that the probe does not accept go to the parser.
     */
    public Builder probe(Probe newProbe) {
      probe = newProbe;
      return this;
    }

    public Builder subcommands(Builder... newSubcommands) {
      subcommands.addAll(Arrays.asList(newSubcommands));
      return this;
    }

    public CommandSpec build() {
      return new CommandSpec(this, null);
    }

    private ScopeKind scopeOrDefault() {
      if (scope != null) {
        return scope;
      }
      return keySpecs.isEmpty() ? ScopeKind.NONE : ScopeKind.KEYS;
    }

    private List<String> allCategories() {
      List<String> all = new ArrayList<>(categories);
      if (!exactCategories) {
        addImplied(all);
        all.sort((a, b) ->
            Integer.compare(Catalog.CATEGORIES.indexOf(a), Catalog.CATEGORIES.indexOf(b)));
      }
      return all;
    }

    /** What Redis derives from the flags. */
    private void addImplied(List<String> all) {
      addIf(all, "write", flags.contains(CommandFlag.WRITE));
      addIf(all, "read", flags.contains(CommandFlag.READONLY));
      addIf(all, "admin", flags.contains(CommandFlag.ADMIN));
      addIf(all, "dangerous", flags.contains(CommandFlag.ADMIN));
      addIf(all, "pubsub", flags.contains(CommandFlag.PUBSUB));
      addIf(all, "blocking", flags.contains(CommandFlag.BLOCKING));
      addIf(all, flags.contains(CommandFlag.FAST) ? "fast" : "slow", true);
    }

    private static void addIf(List<String> all, String category, boolean condition) {
      if (condition && !all.contains(category)) {
        all.add(category);
      }
    }

    @Override
    public String toString() {
      return name.toUpperCase(Locale.ROOT);
    }
  }
}
