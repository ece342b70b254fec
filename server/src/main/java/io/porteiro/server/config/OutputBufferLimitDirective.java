package io.porteiro.server.config;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code client-output-buffer-limit}: class, hard limit, soft limit, seconds; any number of them.
 */
final class OutputBufferLimitDirective extends Directive<OutputBufferLimits> {
  OutputBufferLimitDirective() {
    super("client-output-buffer-limit", OutputBufferLimits.DEFAULTS);
    with(Trait.WORDS);
  }

  @Override
  OutputBufferLimits parse(List<String> words) throws ConfigException {
    return parseLine(words, get());
  }

  /** A class that is not named keeps its limits. */
  @Override
  OutputBufferLimits parseLine(List<String> words, @Nullable OutputBufferLimits before)
      throws ConfigException {
    if (words.isEmpty() || words.size() % 4 != 0) {
      throw new ConfigException("Wrong number of arguments in buffer limit configuration.");
    }
    OutputBufferLimits limits = before == null ? defaultValue() : before;
    for (int i = 0; i < words.size(); i += 4) {
      limits = limits.with(words.get(i).toLowerCase(Locale.ROOT), limit(words.subList(i, i + 4)));
    }
    return limits;
  }

  private static OutputBufferLimit limit(List<String> words) throws ConfigException {
    try {
      return new OutputBufferLimit(
          NumberText.memory(words.get(1)),
          NumberText.memory(words.get(2)),
          Integer.parseUnsignedInt(words.get(3), 10));
    } catch (ConfigException | NumberFormatException e) {
      throw new ConfigException(
          "Error in hard, soft or soft_seconds setting in buffer limit configuration.");
    }
  }

  @Override
  String text() {
    OutputBufferLimits limits = get();
    return text("normal", limits.normal())
        + " "
        + text("slave", limits.replica())
        + " "
        + text("pubsub", limits.pubsub());
  }

  private static String text(String clientClass, OutputBufferLimit limit) {
    return String.join(
        " ",
        clientClass,
        Long.toString(limit.hardBytes()),
        Long.toString(limit.softBytes()),
        Long.toString(limit.softSeconds()));
  }

  @Override
  List<String> lines() {
    OutputBufferLimits limits = get();
    return List.of(
        line("normal", limits.normal()),
        line("replica", limits.replica()),
        line("pubsub", limits.pubsub()));
  }

  private String line(String clientClass, OutputBufferLimit limit) {
    return String.join(
        " ",
        name(),
        clientClass,
        inFile(limit.hardBytes()),
        inFile(limit.softBytes()),
        Long.toString(limit.softSeconds()));
  }

  private static String inFile(long bytes) {
    return bytes == 0 ? "0" : NumberText.withUnit(bytes);
  }
}
