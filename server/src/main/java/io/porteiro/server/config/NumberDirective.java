package io.porteiro.server.config;

import java.util.List;

/** A directive with a whole number, in one of Redis's notations. */
final class NumberDirective extends Directive<Long> {
  /** How a number is read and shown. */
  enum Notation {
    INTEGER,
    /** Bytes, with units such as {@code 64mb}; shown without. */
    MEMORY,
    OCTAL,
    /** As MEMORY, or a percentage, which is kept as a negative number of percent. */
    MEMORY_OR_PERCENT
  }

  private final Notation notation;
  private final long min;
  private final long max;
  private long least = Long.MIN_VALUE;
  private long most = Long.MAX_VALUE;

  NumberDirective(String name, Notation notation, long min, long max, long defaultValue) {
    super(name, defaultValue);
    this.notation = notation;
    this.min = min;
    this.max = max;
  }

  /** What lies outside is accepted, and taken as the nearest number inside. */
  NumberDirective clampedTo(long newLeast, long newMost) {
    least = newLeast;
    most = newMost;
    return this;
  }

  @Override
  Long parse(List<String> words) throws ConfigException {
    long number = read(words.getFirst());
    if (number < min || number > max) {
      throw new ConfigException(outOfRange(number));
    }
    return Math.clamp(number, least, most);
  }

  private long read(String word) throws ConfigException {
    return switch (notation) {
      case INTEGER -> NumberText.integer(word);
      case MEMORY -> NumberText.memory(word);
      case OCTAL -> NumberText.octal(word);
      case MEMORY_OR_PERCENT -> NumberText.memoryOrPercent(word);
    };
  }

  private String outOfRange(long number) {
    if (notation == Notation.MEMORY_OR_PERCENT && number < min) {
      return "percentage argument must be less or equal to " + -min;
    }
    return "argument must be between " + show(min) + " and " + show(max) + " inclusive";
  }

  private String show(long number) {
    return switch (notation) {
      case INTEGER, MEMORY -> Long.toString(number);
      case OCTAL -> Long.toOctalString(number);
      case MEMORY_OR_PERCENT -> number < 0 ? -number + "%" : Long.toString(number);
    };
  }

  @Override
  String text() {
    return show(get());
  }

  /** In the largest unit that divides it, as people write it. */
  @Override
  List<String> lines() {
    boolean bytes = notation == Notation.MEMORY || notation == Notation.MEMORY_OR_PERCENT;
    return List.of(name() + " " + (bytes && get() > 0 ? NumberText.withUnit(get()) : text()));
  }
}
