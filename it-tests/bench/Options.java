import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What `load` was asked for; see its head for what the options mean. */
final class Options {
  private static final Set<String> FLAGS = Set.of("--targets", "--all");

  final List<String> only;
  final List<String> servers;
  final List<String> variants;
  final boolean isTargets;
  final boolean isAll;
  final int rounds;
  final double seconds;
  final double warmUpSeconds;
  final List<Integer> pipelining;
  final List<Integer> connections;
  final List<Integer> loops;
  final List<String> transports;
  final Path root;
  final Path directory;
  final String csv;

  Options(String[] arguments) {
    servers = new ArrayList<>();
    variants = new ArrayList<>();
    Map<String, String> values = parse(arguments);
    isTargets = values.remove("--targets") != null;
    isAll = values.remove("--all") != null;
    only = words(values, "--only", "");
    rounds = numbers(values, "--rounds", "5").getFirst();
    seconds = Double.parseDouble(take(values, "--seconds", isTargets ? "1" : "0.5"));
    warmUpSeconds = Double.parseDouble(take(values, "--warm-up", "30"));
    pipelining = numbers(values, "--pipelining", "1,16,64");
    connections = numbers(values, "--connections", isAll ? "1,50,1000" : "50");
    loops = numbers(values, "--loops", isAll ? "1,2" : "1");
    transports = words(values, "--transports", isAll ? "io_uring,epoll" : "io_uring");
    root = Path.of(take(values, "--root", "."));
    directory = Path.of(take(values, "--dir", "/tmp"));
    csv = take(values, "--csv", "");
    if (!values.isEmpty()) {
      throw new IllegalArgumentException("unknown option " + values.keySet());
    }
  }

  private Map<String, String> parse(String[] arguments) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < arguments.length; i++) {
      String name = arguments[i];
      if (FLAGS.contains(name)) {
        values.put(name, "yes");
      } else if (i + 1 == arguments.length) {
        throw new IllegalArgumentException("a value is missing after " + name);
      } else if (name.equals("--server")) {
        servers.add(arguments[++i]);
      } else if (name.equals("--variant")) {
        variants.add(arguments[++i]);
      } else {
        values.put(name, arguments[++i]);
      }
    }
    return values;
  }

  private static String take(Map<String, String> values, String name, String otherwise) {
    String value = values.remove(name);
    return value == null ? otherwise : value;
  }

  private static List<String> words(Map<String, String> values, String name, String otherwise) {
    return Stream.of(take(values, name, otherwise).split(",", -1))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static List<Integer> numbers(Map<String, String> values, String name, String otherwise) {
    return words(values, name, otherwise).stream().map(Integer::valueOf).toList();
  }

  /** Whether a part of the name was asked for, or nothing in particular. */
  boolean wants(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return only.isEmpty()
        || only.stream().anyMatch(w -> lower.contains(w.toLowerCase(Locale.ROOT)));
  }
}
