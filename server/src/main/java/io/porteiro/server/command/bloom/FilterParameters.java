package io.porteiro.server.command.bloom;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Effects;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.ImpossibleLinkException;

/**
 * What a filter is made of.
 *
 * @param capacity items, at least 1
 * @param errorRate between 0 and 1
 * @param expansion 0 to 32768; also stored where the filter does not scale
 * @param nonScaling true also where the expansion is 0
 */
record FilterParameters(long capacity, double errorRate, int expansion, boolean nonScaling) {
  static final int MAX_EXPANSION = 32768;

  /** Those of a filter that is made by adding to it. */
  static FilterParameters defaults(ServerConfig config) {
    int expansion = config.bfExpansionFactor();
    return new FilterParameters(
        config.bfInitialSize(), config.bfErrorRate(), expansion, expansion == 0);
  }

  /**
   * An empty filter.
   *
   * @throws CommandException if it cannot be made
   */
  BloomFilter create(CommandContext context) {
    MemoryPool pool = context.keyspace().pool();
    try {
      return BloomFilter.create(pool, capacity, errorRate, expansion, nonScaling);
    } catch (ImpossibleLinkException e) {
      throw new CommandException("ERR could not create filter");
    } catch (MemoryLimitException e) {
      throw new CommandException("ERR Insufficient memory to create filter");
    }
  }

  /** For the journal: BF.RESERVE with everything said, since the reader's defaults may differ. */
  void reserveEffect(CommandContext context) {
    Effects.Effect effect = context.effect("BF.RESERVE").argument(context.request(), 1);
    effect.text(Double.toString(errorRate)).number(capacity);
    if (nonScaling) {
      effect.text("NONSCALING"); // with which BF.RESERVE takes no other expansion than 0
    }
    if (!nonScaling || expansion == 0) {
      effect.text("EXPANSION").number(expansion);
    }
  }

  /** For the journal: the beginning of BF.INSERT with everything said; the items are to follow. */
  Effects.Effect insertEffect(CommandContext context) {
    Effects.Effect effect = context.effect("BF.INSERT").argument(context.request(), 1);
    effect.text("CAPACITY").number(capacity).text("ERROR").text(Double.toString(errorRate));
    effect.text("EXPANSION").number(expansion);
    if (nonScaling) {
      effect.text("NONSCALING");
    }
    return effect.text("ITEMS");
  }
}
