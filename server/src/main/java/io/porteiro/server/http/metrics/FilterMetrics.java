package io.porteiro.server.http.metrics;

import io.porteiro.server.command.Services;
import io.porteiro.server.config.HttpConfig;
import io.porteiro.server.http.survey.FilterFigures;
import io.porteiro.server.http.survey.Question;
import io.porteiro.server.http.survey.Survey;
import io.porteiro.server.http.survey.Surveyor;
import io.porteiro.server.structure.FilterCensus;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All filters together, and one by one the largest whose keys match a pattern. */
final class FilterMetrics implements MetricSource {
  /** Well below the time that Prometheus gives a scrape by default, ten seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final double TWO_TO_64 = 0x1p64;

  private final Services services;
  private final Surveyor surveyor;

  FilterMetrics(Services services, Surveyor surveyor) {
    this.services = services;
    this.surveyor = surveyor;
  }

  @Override
  public void addTo(Families families) {
    HttpConfig config = services.config().http();
    Survey survey =
        surveyor.ask(new Question(config.metricsKeyPattern(), config.metricsMaxKeys()), PATIENCE);
    together(families, services.keyspace().filters());
    families.gauge(
        "porteiro_filters_left_out",
        "Filters that match metrics-key-pattern and have no series, because there are more than"
            + " metrics-max-keys.",
        survey.leftOut());
    families.gauge("porteiro_hyperloglogs", "Keys that are HyperLogLogs.", survey.hyperLogLogs());
    families.gauge(
        "porteiro_hyperloglogs_memory_bytes", "Memory of HyperLogLogs.", survey.hyperLogLogBytes());
    oneByOne(families, survey);
  }

  private static void together(Families families, FilterCensus census) {
    families.gauge("porteiro_filters", "Bloom filters.", census.filters());
    families.gauge(
        "porteiro_filters_items", "Items in all Bloom filters.", unsigned(census.items()));
    families.gauge("porteiro_filters_memory_bytes", "Memory of all Bloom filters.", census.bytes());
  }

  private static void oneByOne(Families families, Survey survey) {
    Map<FilterFigures, Labels> filters = new LinkedHashMap<>();
    survey.filters().forEach(filter -> filters.put(filter, labels(filter)));
    series(families, filters, "items", "Items added.", filter -> unsigned(filter.items()));
    series(
        families,
        filters,
        "capacity",
        "Items for which its sub-filters were made.",
        filter -> unsigned(filter.capacity()));
    series(
        families,
        filters,
        "fill_ratio",
        "Part of its bits that is set, estimated from the number of items.",
        FilterFigures::fill);
    series(
        families,
        filters,
        "false_positive_ratio",
        "How likely an item that was never added is reported as present, estimated from the number"
            + " of items.",
        FilterFigures::errorRate);
    series(
        families,
        filters,
        "false_positive_target_ratio",
        "The rate of false positives that it was made for.",
        FilterFigures::promisedErrorRate);
    series(families, filters, "sub_filters", "Sub-filters.", FilterFigures::subFilters);
    series(families, filters, "memory_bytes", "Memory.", FilterFigures::bytes);
  }

  private static void series(
      Families families,
      Map<FilterFigures, Labels> filters,
      String name,
      String what,
      ToDoubleFunction<FilterFigures> value) {
    families.gauge(
        "porteiro_filter_" + name,
        "Of one Bloom filter. " + what,
        filters.entrySet(),
        Map.Entry::getValue,
        filter -> value.applyAsDouble(filter.getKey()));
  }

  private static Labels labels(FilterFigures filter) {
    return Labels.of("db", Integer.toString(filter.database()), "key", filter.name());
  }

  private static double unsigned(long number) {
    return number >= 0 ? number : number + TWO_TO_64;
  }
}
