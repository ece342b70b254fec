package io.porteiro.server.http.metrics;

import io.porteiro.server.command.Services;
import io.porteiro.server.http.health.Heartbeats;
import io.porteiro.server.http.health.Readiness;
import io.porteiro.server.http.survey.Surveyor;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All metrics as one text, in Prometheus's own format or in that of OpenMetrics. */
public final class MetricsReport {
  private final List<MetricSource> sources;
  private final ExpositionFormatWriter plain = PrometheusTextFormatWriter.create();
  private final ExpositionFormatWriter open = OpenMetricsTextFormatWriter.create();

  /** A text and what it is. */
  public record Text(String contentType, byte[] bytes) {}

  public MetricsReport(
      Services services, Surveyor surveyor, Readiness readiness, Heartbeats heartbeats) {
    sources =
        List.of(
            new ServerMetrics(readiness, heartbeats),
            new ProcessMetrics(),
            new JvmMetrics(),
            new CommandMetrics(services),
            new ClientMetrics(services),
            new StoreMetrics(services),
            new PersistenceMetrics(services),
            new FilterMetrics(services, surveyor));
  }

  /**
   * The metrics now.
   *
   * @param accept what the asker can read, an HTTP header; null if it says nothing
   */
  public Text write(@Nullable String accept) {
    Families families = new Families();
    sources.forEach(source -> source.addTo(families));
    ExpositionFormatWriter writer = accept != null && open.accepts(accept) ? open : plain;
    return new Text(writer.getContentType(), bytes(writer, families.build()));
  }

  private static byte[] bytes(ExpositionFormatWriter writer, MetricSnapshots families) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, families);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory
    }
    return bytes.toByteArray();
  }
}
