package io.porteiro.server.command.admin;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeyRights;
import io.porteiro.server.command.KeySpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which arguments of a command, itself given as arguments, are keys: COMMAND GETKEYS. */
final class KeyArguments {
  private record KeyArgument(int index, List<String> flags) {}

  /** COMMAND GETKEYS stands before the command. */
  private static final int COMMAND_INDEX = 2;

  private final List<KeyArgument> keys = new ArrayList<>();

  private KeyArguments() {}

  /**
   * The keys of the command that begins with the context's third argument.
   *
   * @throws CommandException where there is none, it takes no keys, or not so many arguments
   */
  static KeyArguments of(CommandContext context) {
    CommandSpec spec = named(context);
    if (spec == null) {
      throw new CommandException("ERR Invalid command specified");
    }
    if (spec.keySpecs().isEmpty()) {
      throw new CommandException("ERR The command has no key arguments");
    }
    int count = context.arguments().count() - COMMAND_INDEX;
    if (spec.arity() > 0 ? count != spec.arity() : count < -spec.arity()) {
      throw new CommandException("ERR Invalid number of arguments specified for command");
    }
    KeyArguments found = new KeyArguments();
    for (KeySpec keys : spec.keySpecs()) {
      List<String> flags = KeyRights.flags(spec, keys, context.request(), COMMAND_INDEX);
      found.add(keys.first(context.request(), COMMAND_INDEX), keys, flags, count);
    }
    return found;
  }

  private static @Nullable CommandSpec named(CommandContext context) {
    Arguments arguments = context.arguments();
    CommandSpec spec = context.services().table().find(arguments.textAt(COMMAND_INDEX));
    if (spec == null || spec.subcommands().isEmpty() || arguments.count() <= COMMAND_INDEX + 1) {
      return spec;
    }
    String name = spec.name() + "|" + arguments.textAt(COMMAND_INDEX + 1);
    CommandSpec subcommand = context.services().table().find(name);
    return subcommand == null ? spec : subcommand;
  }

  private void add(int first, KeySpec spec, List<String> flags, int count) {
    int last = spec.lastIndex(count);
    for (int index = first; index <= last; index += spec.step()) {
      keys.add(new KeyArgument(COMMAND_INDEX + index, flags));
    }
  }

  int size() {
    return keys.size();
  }

  /** Hands over the index of each among the context's arguments, and what is done to the key. */
  void forEach(Visitor consumer) {
    keys.forEach(key -> consumer.accept(key.index, key.flags));
  }

  /** Takes a key. */
  @FunctionalInterface
  interface Visitor {
    void accept(int index, List<String> flags);
  }
}
