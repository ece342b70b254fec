package io.porteiro.server.config;

import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One directive of redis.conf: its names, what it accepts, and its value now.
 *
 * <p>Texts are byte strings: each character is one byte (ISO 8859-1), because passwords and paths
 * may be in any encoding.
 *
 * @param <T> an immutable value
 */
abstract class Directive<T> {
  /** What sets a directive apart from a plain one that can be read and changed at any time. */
  enum Trait {
    /** Only settable at start. */
    IMMUTABLE,
    /** CONFIG SET needs `enable-protected-configs`. */
    PROTECTED,
    /** Its value never reaches the log. */
    SENSITIVE,
    /** Takes any number of words, not exactly one. */
    WORDS,
    /** Found by its name only, not by a pattern. */
    HIDDEN,
    /** Known to Redis, without meaning here. */
    INERT
  }

  private final String name;
  private T defaultValue;
  private final EnumSet<Trait> traits = EnumSet.noneOf(Trait.class);
  private @Nullable String alias;
  private Predicate<T> refused = value -> false;
  private String refusal = "";
  private volatile T value;

  Directive(String name, T defaultValue) {
    this.name = name;
    this.defaultValue = defaultValue;
    this.value = defaultValue;
  }

  final String name() {
    return name;
  }

  /** The other name that Redis knows it by, such as the one from before a renaming. */
  final @Nullable String alias() {
    return alias;
  }

  final Directive<T> alias(String otherName) {
    this.alias = otherName;
    return this;
  }

  final Directive<T> with(Trait... more) {
    traits.addAll(List.of(more));
    return this;
  }

  /**
   * Values that Redis takes and this server does not (yet): better an error than a promise broken.
   */
  final Directive<T> refusing(Predicate<T> values, String reason) {
    this.refused = values;
    this.refusal = reason;
    return this;
  }

  /** Whether a value is one that this server takes. */
  final T accepted(T parsed) throws ConfigException {
    if (refused.test(parsed)) {
      throw new ConfigException(refusal);
    }
    return parsed;
  }

  final boolean is(Trait trait) {
    return traits.contains(trait);
  }

  final T get() {
    return value;
  }

  final void assign(T newValue) {
    value = newValue;
  }

  final T defaultValue() {
    return defaultValue;
  }

  /**
   * Takes another default, known only when the server starts, and has it. For before any reading.
   */
  final void setDefault(T newDefault) {
    defaultValue = newDefault;
    value = newDefault;
  }

  final boolean isDefault() {
    return value.equals(defaultValue);
  }

  /**
   * Understands words from a configuration file or command line, where a directive may come several
   * times, or those of one CONFIG SET. Changes nothing.
   *
   * @param words exactly one unless the directive has {@link Trait#WORDS}
   */
  abstract T parse(List<String> words) throws ConfigException;

  /**
   * As {@link #parse}, for a line of a file: directives that add up over several lines take what
   * earlier lines said into account.
   *
   * @param before the value from earlier lines, or null at the first
   */
  T parseLine(List<String> words, @Nullable T before) throws ConfigException {
    return parse(words);
  }

  /** The value as CONFIG GET answers it. */
  abstract String text();

  /** The lines that give the value in a configuration file. */
  List<String> lines() {
    return List.of(name + " " + text());
  }
}
