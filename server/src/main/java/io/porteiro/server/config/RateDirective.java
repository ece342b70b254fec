package io.porteiro.server.config;

import java.math.BigDecimal;
import java.util.List;

/**
 * A false-positive rate: above 0 and below 1. As everywhere in the Bloom module, what is above
 * {@link #MAX} is taken as MAX.
 */
final class RateDirective extends Directive<Double> {
  private static final double MAX = 0.25;

  RateDirective(String name, double defaultValue) {
    super(name, defaultValue);
  }

  @Override
  Double parse(List<String> words) throws ConfigException {
    double rate = number(words.getFirst());
    if (!(rate > 0 && rate < 1)) {
      throw new ConfigException("argument must be greater than 0 and less than 1");
    }
    return Math.min(rate, MAX);
  }

  private static double number(String word) throws ConfigException {
    try {
      return new BigDecimal(word).doubleValue();
    } catch (NumberFormatException e) {
      throw new ConfigException("argument couldn't be parsed into a number");
    }
  }

  /** The shortest decimal that reads back as the same double. */
  @Override
  String text() {
    return new BigDecimal(Double.toString(get())).stripTrailingZeros().toPlainString();
  }
}
