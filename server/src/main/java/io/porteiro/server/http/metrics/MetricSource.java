package io.porteiro.server.http.metrics;

/** Some metrics that belong together. */
interface MetricSource {
  void addTo(Families families);
}
