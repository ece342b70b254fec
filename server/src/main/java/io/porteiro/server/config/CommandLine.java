package io.porteiro.server.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The arguments of {@code redis-server}: {@code [config-file] [-] [--name value ...]}. A lone
 * {@code -} reads settings from standard input. Options count most, then environment variables,
 * then standard input, then the file, then a file of defaults that a variable may name.
 */
public final class CommandLine {
  /** What the arguments ask for. */
  public sealed interface Wish {}

  /** Start with these settings. */
  public record Start(ServerConfig config) implements Wish {}

  /** Print this to standard output and end with exit code 0. */
  public record Print(String text) implements Wish {}

  private static final String USAGE =
      """
      Usage: porteiro-server [/path/to/redis.conf] [options] [-]
             porteiro-server - (settings from standard input)
             porteiro-server -v or --version
             porteiro-server -h or --help

      Settings are those of redis.conf; each can be an option (--port 7777)
      or an environment variable (PORTEIRO_PORT=7777), of which the option counts.

      Examples:
             porteiro-server (stock settings)
             porteiro-server /etc/porteiro/redis.conf
             porteiro-server --port 7777 --maxmemory 2gb
             porteiro-server /etc/porteiro/redis.conf --loglevel verbose -
             PORTEIRO_APPENDFSYNC=always porteiro-server
      """;

  private final List<String> arguments;
  private final Surroundings surroundings;
  private final OptionLines options = new OptionLines();
  private boolean fromStandardInput;

  private CommandLine(List<String> arguments, Surroundings surroundings) {
    this.arguments = arguments;
    this.surroundings = surroundings;
  }

  /**
   * Understands the arguments, and reads all files they name.
   *
   * @throws FatalConfigException with what to print before ending with exit code 1
   */
  public static Wish parse(String[] arguments, Surroundings surroundings)
      throws FatalConfigException {
    return new CommandLine(List.of(arguments), surroundings).parse();
  }

  private Wish parse() throws FatalConfigException {
    return switch (arguments.isEmpty() ? "" : arguments.getFirst()) {
      case "-v", "--version" -> new Print(version());
      case "-h", "--help" -> new Print(USAGE);
      case "--test-memory" ->
          throw new FatalConfigException("There is no memory test here; memtester has one.\n");
      case "--check-system" ->
          throw new FatalConfigException("There is no check of the system here.\n");
      case "--sentinel" -> throw new FatalConfigException("There is no Sentinel mode here.\n");
      default -> new Start(load());
    };
  }

  private static String version() {
    return "Porteiro server v="
        + ServerVersion.PORTEIRO
        + " redis="
        + ServerVersion.REDIS
        + " java="
        + Runtime.version()
        + "\n";
  }

  private ServerConfig load() throws FatalConfigException {
    boolean hasFile = !arguments.isEmpty() && !arguments.getFirst().startsWith("-");
    readOptions(hasFile ? 1 : 0);
    EnvironmentSettings environment = new EnvironmentSettings(surroundings.environment());
    ServerConfig config = new ServerConfig();
    config.setDefaultMaxmemory(surroundings.defaultMaxmemory());
    ConfigLoader loader = new ConfigLoader(config);
    String defaults = environment.defaultsFile();
    if (defaults != null) {
      loader.readFile(Path.of(defaults).toAbsolutePath().normalize());
    }
    if (hasFile) {
      Path file = Path.of(arguments.getFirst()).toAbsolutePath().normalize();
      config.setConfigFile(file);
      loader.readFile(file);
    }
    if (fromStandardInput) {
      loader.read(ConfigSource.ofText(null, 1, standardInputText()));
    }
    for (ConfigSource variable : environment.sources(config.directives())) {
      loader.read(variable);
    }
    // Redis reads options as a text behind an empty line
    loader.read(ConfigSource.ofText(null, 2, options.text()));
    return config;
  }

  /** A lone {@code -} counts only where Redis looks for it: first or last. */
  private void readOptions(int from) {
    for (int i = from; i < arguments.size(); i++) {
      boolean edge = i == 0 || i == arguments.size() - 1;
      if (edge && arguments.get(i).equals("-")) {
        fromStandardInput = true;
      } else {
        options.add(ByteText.ofText(arguments.get(i)));
      }
    }
    options.end();
  }

  private String standardInputText() throws FatalConfigException {
    try {
      return new String(surroundings.standardInput().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new FatalConfigException("Can't read settings from standard input: " + e + "\n");
    }
  }
}
