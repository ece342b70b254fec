import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What several measurements of the same came to. */
record Spread(double median, double least, double most) {
  static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  static Spread of(List<Run> runs, ToDoubleFunction<Run> figure) {
    return of(runs.stream().mapToDouble(figure).toArray());
  }

  /** Of quotients within rounds: what changes from round to round on the machine falls out. */
  static Spread ofRatios(List<Run> runs, List<Run> base, ToDoubleFunction<Run> figure) {
    double[] ratios = new double[runs.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = figure.applyAsDouble(runs.get(i)) / figure.applyAsDouble(base.get(i));
    }
    return of(ratios);
  }

  /** The median, and how far apart the least and the most are. */
  String show() {
    return show(1);
  }

  String show(double unit) {
    return String.format(
        Locale.ROOT,
        "%s (%s-%s)",
        number(median / unit),
        number(least / unit),
        number(most / unit));
  }

  /** Three digits that count. */
  static String number(double value) {
    double magnitude = Math.abs(value);
    int decimals = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
