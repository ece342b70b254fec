package io.porteiro.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.porteiro.server.http.health.Heartbeats;
import io.porteiro.server.http.health.Readiness;
import io.porteiro.server.http.metrics.MetricsReport;
import io.porteiro.server.http.page.Page;
import io.porteiro.server.http.page.StatusReport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which path is answered by what. Health is answered at once, on the event loop of HTTP; reports
 * take time and are made elsewhere.
 */
final class Routes {
  private static final String JSON = "application/json";

  private final Map<String, Endpoint> immediate;
  private final Map<String, Endpoint> reports;

  Routes(Heartbeats heartbeats, Readiness readiness, MetricsReport metrics, StatusReport status) {
    Page page = new Page();
    immediate =
        Map.of(
            "/livez", (query, headers) -> health(heartbeats.obstacle()),
            "/readyz", (query, headers) -> health(readiness.obstacle()),
            "/", (query, headers) -> file(page.html()),
            "/page.css", (query, headers) -> file(page.css()),
            "/page.js", (query, headers) -> file(page.js()),
            "/icon.svg", (query, headers) -> file(page.icon()));
    reports =
        Map.of(
            "/metrics", (query, headers) -> metrics(metrics, headers),
            "/status.json", (query, headers) -> status(status, query));
  }

  /** What answers at a path in no time; null if nothing does. */
  @Nullable Endpoint immediate(String path) {
    return immediate.get(path);
  }

  /** What answers at a path and may take a while; null if nothing does. */
  @Nullable Endpoint report(String path) {
    return reports.get(path);
  }

  private static Answer health(@Nullable String obstacle) {
    return obstacle == null ? Answer.text(200, "ok") : Answer.text(503, obstacle);
  }

  private static Answer file(Page.File file) {
    return Answer.of(file.contentType(), file.bytes());
  }

  private static Answer metrics(MetricsReport metrics, HttpHeaders headers) {
    MetricsReport.Text text = metrics.write(headers.get(HttpHeaderNames.ACCEPT));
    return Answer.of(text.contentType(), text.bytes());
  }

  private static Answer status(StatusReport status, QueryStringDecoder query) {
    String find = query.parameters().getOrDefault("find", List.of("")).getFirst();
    return Answer.of(JSON, status.write(find).getBytes(StandardCharsets.UTF_8));
  }
}
