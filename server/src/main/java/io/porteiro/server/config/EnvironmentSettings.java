package io.porteiro.server.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings as environment variables: {@code PORTEIRO_BF_ERROR_RATE=0.001} is the line {@code
 * bf-error-rate 0.001}. A variable whose name is no setting refuses the start, as a line does: a
 * misspelt {@code PORTEIRO_APENDFSYNC} must not be found out after a crash.
 */
final class EnvironmentSettings {
  private static final String PREFIX = "PORTEIRO_";

  /** The launcher's own variables, and {@link #defaultsFile}'s. */
  private static final Set<String> NO_SETTINGS = Set.of("JAVA_HOME", "JAVA_OPTS", "DEFAULTS");

  /**
   * What Kubernetes tells all containers about a Service whose name begins with "porteiro"
   * (PORTEIRO_SERVICE_HOST, PORTEIRO_PORT_6379_TCP_ADDR and so on), with the prefix gone.
   */
  private static final Pattern SERVICE =
      Pattern.compile(
          "(.*_)?SERVICE_(HOST|PORT(_.*)?)|(.*_)?PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

  /** PORTEIRO_PORT is such a variable where it holds an address, and a setting otherwise. */
  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private final Map<String, String> environment;

  EnvironmentSettings(Map<String, String> environment) {
    this.environment = environment;
  }

  /** A file of settings that count less than all others, or null. A container image has one. */
  @Nullable String defaultsFile() {
    return environment.get(PREFIX + "DEFAULTS");
  }

  /** One source for each variable, in the order of their names. */
  List<ConfigSource> sources(Directives directives) {
    return new TreeMap<>(environment)
        .entrySet().stream()
            .filter(variable -> isSetting(variable.getKey(), variable.getValue()))
            .map(variable -> source(variable.getKey(), variable.getValue(), directives))
            .toList();
  }

  private static boolean isSetting(String variable, String value) {
    if (!variable.startsWith(PREFIX)) {
      return false;
    }
    String name = variable.substring(PREFIX.length());
    boolean address = name.endsWith("PORT") && SERVICE_ADDRESS.matcher(value).matches();
    return !NO_SETTINGS.contains(name) && !address && !SERVICE.matcher(name).matches();
  }

  private static ConfigSource source(String variable, String value, Directives directives) {
    String name = variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
    Directive<?> directive = directives.find(name);
    boolean oneWord = directive != null && !directive.is(Directive.Trait.WORDS);
    String bytes = ByteText.ofText(value);
    return ConfigSource.ofVariable(
        variable,
        oneWord
            ? List.of(name + " " + ConfigText.quote(bytes))
            : wordsByLine(bytes).map(words -> name + " " + words).toList());
  }

  /** Where several words are expected they are apart by blanks, and several lines are several. */
  private static Stream<String> wordsByLine(String value) {
    return value.isBlank()
        ? Stream.of("\"\"")
        : value.lines().map(String::strip).filter(line -> !line.isEmpty());
  }
}
