package io.porteiro.server.http.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The metric families of one scrape. Names are full ones as they are exposed, without the {@code
 * _total} of counters.
 */
final class Families {
  private final MetricSnapshots.Builder all = MetricSnapshots.builder();

  MetricSnapshots build() {
    return all.build();
  }

  private void add(MetricSnapshot family) {
    all.metricSnapshot(family);
  }

  void gauge(String name, String help, double value) {
    gauge(name, help, List.of(value), point -> Labels.EMPTY, point -> point);
  }

  /** Beyond 2^53 it is rounded, as all numbers are in Prometheus. */
  void gauge(String name, String help, long value) {
    gauge(name, help, (double) value);
  }

  /** One series for each of some things. */
  <T> void gauge(
      String name,
      String help,
      Iterable<T> things,
      Function<T, Labels> labels,
      ToDoubleFunction<T> value) {
    GaugeSnapshot.Builder family = GaugeSnapshot.builder().name(name).help(help);
    for (T thing : things) {
      family.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(labels.apply(thing))
              .value(value.applyAsDouble(thing))
              .build());
    }
    add(family.build());
  }

  void counter(String name, String help, double value) {
    counter(name, help, List.of(value), point -> Labels.EMPTY, point -> point);
  }

  /** Beyond 2^53 it is rounded, as all numbers are in Prometheus. */
  void counter(String name, String help, long value) {
    counter(name, help, (double) value);
  }

  /** One series for each of some things. A counter that a reset made negative is 0. */
  <T> void counter(
      String name,
      String help,
      Iterable<T> things,
      Function<T, Labels> labels,
      ToDoubleFunction<T> value) {
    CounterSnapshot.Builder family = CounterSnapshot.builder().name(name).help(help);
    for (T thing : things) {
      family.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(labels.apply(thing))
              .value(Math.max(0, value.applyAsDouble(thing)))
              .build());
    }
    add(family.build());
  }

  /** How often something happened for each of some things, and how long it took in sum. */
  <T> void summary(
      String name,
      String help,
      Iterable<T> things,
      Function<T, Labels> labels,
      ToDoubleFunction<T> count,
      ToDoubleFunction<T> sum) {
    SummarySnapshot.Builder family = SummarySnapshot.builder().name(name).help(help);
    for (T thing : things) {
      SummaryDataPointSnapshot.Builder point =
          SummaryDataPointSnapshot.builder().count((long) count.applyAsDouble(thing));
      point.sum(sum.applyAsDouble(thing));
      family.dataPoint(point.labels(labels.apply(thing)).build());
    }
    add(family.build());
  }

  /** One histogram for each of some things. */
  <T> void histogram(
      String name,
      String help,
      Iterable<T> things,
      Function<T, Labels> labels,
      Function<T, ClassicHistogramBuckets> buckets,
      ToDoubleFunction<T> sum) {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(name).help(help);
    for (T thing : things) {
      HistogramDataPointSnapshot.Builder point =
          HistogramDataPointSnapshot.builder().classicHistogramBuckets(buckets.apply(thing));
      point.sum(Math.max(0, sum.applyAsDouble(thing)));
      family.dataPoint(point.labels(labels.apply(thing)).build());
    }
    add(family.build());
  }

  /** Facts as labels; the {@code _info} is added to the name. */
  void info(String name, String help, String... labels) {
    add(
        InfoSnapshot.builder()
            .name(name)
            .help(help)
            .dataPoint(InfoDataPointSnapshot.builder().labels(Labels.of(labels)).build())
            .build());
  }
}
