import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What the load generator measured once. Times in microseconds; processor times are per command.
 */
record Run(
    double commands,
    double seconds,
    double p50,
    double p99,
    double p999,
    double max,
    double serverMicros,
    double loadMicros,
    long next,
    double[] means) {

  static Run parse(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.strip().split(" ", -1)) {
      values.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return new Run(
        Double.parseDouble(values.get("commands")),
        Double.parseDouble(values.get("seconds")),
        Double.parseDouble(values.get("p50")),
        Double.parseDouble(values.get("p99")),
        Double.parseDouble(values.get("p999")),
        Double.parseDouble(values.get("max")),
        Double.parseDouble(values.get("server_us")),
        Double.parseDouble(values.get("own_us")),
        Long.parseLong(values.get("next")),
        Arrays.stream(values.get("means").split(",", -1))
            .mapToDouble(Double::parseDouble)
            .toArray());
  }

  double rate() {
    return commands / seconds;
  }

  /** The part of one core that the server used. */
  double busy() {
    return serverMicros * rate() / 1e6;
  }
}
