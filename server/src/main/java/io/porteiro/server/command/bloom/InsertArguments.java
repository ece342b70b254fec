package io.porteiro.server.command.bloom;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.config.ServerConfig;

/**
 * The arguments of {@code BF.INSERT key [CAPACITY capacity] [ERROR error] [EXPANSION expansion]
 * [NOCREATE] [NONSCALING] ITEMS item [item ...]}. The last of a repeated option counts. (The Bloom
 * module looks only at the first letters of the words.)
 */
final class InsertArguments {
  private final Arguments arguments;
  private final ServerConfig config;
  private long capacity;
  private double errorRate;
  private int expansion;
  private boolean nonScaling;
  private boolean noCreate;

  /** Whether an expansion that is given makes a filter scale, whatever the settings. */
  private final boolean replay;

  private InsertArguments(CommandContext context) {
    this.arguments = context.arguments();
    this.config = context.config();
    this.replay = context.isReplay();
    this.capacity = config.bfInitialSize();
    this.errorRate = config.bfErrorRate();
    this.expansion = config.bfExpansionFactor();
  }

  /** Checks them and leaves the cursor at the first item. */
  static InsertArguments parse(CommandContext context) {
    InsertArguments insert = new InsertArguments(context);
    insert.parse();
    return insert;
  }

  private void parse() {
    arguments.skip(); // the key
    while (!arguments.accept("ITEMS")) {
      requireMore();
      option();
    }
    requireMore();
  }

  private void option() {
    if (arguments.accept("CAPACITY")) {
      capacity = capacity(value());
    } else if (arguments.accept("ERROR")) {
      errorRate = errorRate(value());
    } else if (arguments.accept("EXPANSION")) {
      expansion = expansion(value());
    } else if (arguments.accept("NOCREATE")) {
      noCreate = true;
    } else if (arguments.accept("NONSCALING")) {
      nonScaling = true;
    } else {
      throw new CommandException("Unknown argument received");
    }
  }

  private int value() {
    requireMore();
    return arguments.skip();
  }

  private void requireMore() {
    if (!arguments.hasNext()) {
      throw Errors.wrongArity("bf.insert");
    }
  }

  private long capacity(int index) {
    long value = arguments.longAt(index, "Bad capacity");
    if (value < 1 || value > config.bfMaxCapacity()) {
      throw new CommandException("Bad capacity");
    }
    return value;
  }

  private double errorRate(int index) {
    Double rate = ErrorRate.parse(arguments, index);
    if (rate == null || !ErrorRate.isPossible(rate)) {
      throw new CommandException("Bad error rate");
    }
    return rate;
  }

  private int expansion(int index) {
    long value = arguments.longAt(index, "Bad expansion");
    if (value < 0 || value > FilterParameters.MAX_EXPANSION) {
      throw new CommandException("Bad expansion");
    }
    return (int) value;
  }

  /** Whether the key must be there. */
  boolean isNoCreate() {
    return noCreate;
  }

  FilterParameters parameters() {
    return new FilterParameters(
        capacity, errorRate, expansion, nonScaling || expansion == 0 || isNonScalingByDefault());
  }

  private boolean isNonScalingByDefault() {
    return config.bfExpansionFactor() == 0 && !replay;
  }
}
