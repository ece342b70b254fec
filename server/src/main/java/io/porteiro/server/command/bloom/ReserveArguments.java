package io.porteiro.server.command.bloom;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.config.ServerConfig;

/**
 * The arguments of {@code BF.RESERVE key error_rate capacity [EXPANSION expansion] [NONSCALING]}.
 *
 * <p>As in the Bloom module the option words may stand anywhere behind the capacity, other words
 * there are ignored, and of two EXPANSIONs the first counts. (The module finds the words even in
 * the key.)
 */
final class ReserveArguments {
  static final int MAX_COUNT = 7;

  private static final int ERROR_RATE = 2;
  private static final int CAPACITY = 3;
  private static final int OPTIONS = 4;

  private final Arguments arguments;
  private final ServerConfig config;

  /** Whether an expansion that is given makes a filter scale, whatever the settings. */
  private final boolean replay;

  private ReserveArguments(CommandContext context) {
    this.arguments = context.arguments();
    this.config = context.config();
    this.replay = context.isReplay();
  }

  /** Checks them in the module's order. */
  static FilterParameters parse(CommandContext context) {
    ReserveArguments reserve = new ReserveArguments(context);
    double errorRate = reserve.errorRate();
    long capacity = reserve.capacity();
    int expansion = reserve.expansion();
    return new FilterParameters(
        capacity, errorRate, expansion, reserve.isNonScaling() || expansion == 0);
  }

  private double errorRate() {
    Double rate = ErrorRate.parse(arguments, ERROR_RATE);
    if (rate == null) {
      throw new CommandException("ERR bad error rate");
    }
    if (!ErrorRate.isPossible(rate)) {
      throw new CommandException("ERR error rate must be in the range (0.000000, 1.000000)");
    }
    return rate;
  }

  private long capacity() {
    long capacity = arguments.longAt(CAPACITY, "ERR bad capacity");
    long max = config.bfMaxCapacity();
    if (capacity < 1 || capacity > max) {
      throw new CommandException("ERR capacity must be in the range [1, " + max + "]");
    }
    return capacity;
  }

  private int expansion() {
    int word = indexOf("EXPANSION");
    if (word < 0) {
      return config.bfExpansionFactor();
    }
    if (word + 1 == arguments.count()) {
      throw new CommandException("ERR no expansion");
    }
    long expansion = arguments.longAt(word + 1, "ERR bad expansion");
    if (expansion < 0 || expansion > FilterParameters.MAX_EXPANSION) {
      throw new CommandException(
          "ERR expansion must be in the range [0, " + FilterParameters.MAX_EXPANSION + "]");
    }
    if (expansion > 0 && isNonScaling()) {
      throw new CommandException("Nonscaling filters cannot expand");
    }
    return (int) expansion;
  }

  /** By the word, or because filters are so by default. */
  private boolean isNonScaling() {
    return indexOf("NONSCALING") >= 0
        || (config.bfExpansionFactor() == 0 && !(replay && indexOf("EXPANSION") >= 0));
  }

  private int indexOf(String word) {
    for (int i = OPTIONS; i < arguments.count(); i++) {
      if (arguments.isWord(i, word)) {
        return i;
      }
    }
    return -1;
  }
}
