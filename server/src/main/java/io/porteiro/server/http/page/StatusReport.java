package io.porteiro.server.http.page;

import io.porteiro.server.command.Services;
import io.porteiro.server.config.ServerVersion;
import io.porteiro.server.http.health.Readiness;
import io.porteiro.server.http.survey.FilterFigures;
import io.porteiro.server.http.survey.InfoFields;
import io.porteiro.server.http.survey.Question;
import io.porteiro.server.http.survey.Survey;
import io.porteiro.server.http.survey.Surveyor;
import io.porteiro.server.metrics.MachineMemory;
import io.porteiro.server.metrics.ProcessStats;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.structure.FilterCensus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** What the page shows, as JSON. */
public final class StatusReport {
  static final int MAX_ROWS = 100;

  /** Longer than what one looks for by hand, and short enough to be matched in no time. */
  private static final int MAX_FIND_CHARS = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final Pattern GLOB = Pattern.compile("[*?\\[\\]\\\\]");

  private final Services services;
  private final Surveyor surveyor;
  private final Readiness readiness;
  private final OperationsHistory history;
  private final long startedMs;

  public StatusReport(
      Services services, Surveyor surveyor, Readiness readiness, OperationsHistory history) {
    this.services = services;
    this.surveyor = surveyor;
    this.readiness = readiness;
    this.history = history;
    this.startedMs =
        ProcessHandle.current().info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
  }

  /**
   * All of it.
   *
   * @param find which filters: a part of their keys, or a glob pattern; empty is all
   */
  public String write(String find) {
    Survey survey = surveyor.ask(new Question(pattern(find), MAX_ROWS), PATIENCE);
    return Json.object(json ->
        json.put("server", this::server)
            .put("operations", this::operations)
            .put("memory", this::memory)
            .put("clients", this::clients)
            .put("keys", keys())
            .put("hyperLogLogs", hlls -> hyperLogLogs(hlls, survey))
            .put("filters", filters -> filters(filters, survey))
            .put("persistence", this::persistence));
  }

  /** Bytes as characters, since keys are compared byte by byte. */
  private static String pattern(String find) {
    String cut = find.length() > MAX_FIND_CHARS ? find.substring(0, MAX_FIND_CHARS) : find;
    String pattern = GLOB.matcher(cut).find() ? cut : "*" + cut + "*";
    return cut.isEmpty()
        ? Question.ALL
        : new String(pattern.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private void server(Json json) {
    String obstacle = readiness.obstacle();
    json.put("version", ServerVersion.PORTEIRO)
        .put("redisVersion", ServerVersion.REDIS)
        .put("uptimeSeconds", (services.clock().millis() - startedMs) / 1000)
        .put("transport", services.metrics().transport())
        .put("ready", obstacle == null)
        .put("obstacle", obstacle == null ? "" : obstacle);
  }

  private void operations(Json json) {
    json.put("perSecond", services.metrics().operationsPerSecond())
        .put("total", services.metrics().commandsProcessed())
        .numbers("history", history.all());
  }

  private void memory(Json json) {
    long usedBytes = services.keyspace().pool().usedBytes();
    json.put("usedBytes", usedBytes)
        .put("peakBytes", services.metrics().peakBytes(usedBytes))
        .put("limitBytes", services.config().maxmemory())
        .put("machineBytes", MachineMemory.ofThisProcess().totalBytes())
        .put("residentBytes", ProcessStats.residentBytes());
  }

  private void clients(Json json) {
    json.put("connected", services.clients().count())
        .put("limit", services.config().maxclients())
        .put("accepted", services.metrics().connectionsReceived());
  }

  private long keys() {
    Keyspace keyspace = services.keyspace();
    return LongStream.range(0, keyspace.databases())
        .map(database -> keyspace.size((int) database))
        .sum();
  }

  private static void hyperLogLogs(Json json, Survey survey) {
    json.put("count", survey.hyperLogLogs()).put("bytes", survey.hyperLogLogBytes());
  }

  private void filters(Json json, Survey survey) {
    FilterCensus census = services.keyspace().filters();
    json.put("total", census.filters())
        .put("items", unsigned(census.items()))
        .put("capacity", unsigned(census.capacity()))
        .put("bytes", census.bytes())
        .put("matching", survey.matching())
        .put("complete", survey.complete())
        .objects("rows", survey.filters(), StatusReport::filter);
  }

  private static void filter(Json json, FilterFigures filter) {
    json.put("name", filter.name())
        .put("database", filter.database())
        .put("items", unsigned(filter.items()))
        .put("capacity", unsigned(filter.capacity()))
        .put("fill", filter.fill())
        .put("errorRate", filter.errorRate())
        .put("promisedErrorRate", filter.promisedErrorRate())
        .put("subFilters", filter.subFilters())
        .put("expansion", filter.expansion())
        .put("bytes", filter.bytes());
  }

  /** JavaScript's numbers are doubles anyway. */
  private static double unsigned(long number) {
    return number >= 0 ? number : number + 0x1p64;
  }

  private void persistence(Json json) {
    InfoFields info = InfoFields.of(services.persistence());
    boolean savesByItself = !services.config().save().isEmpty();
    json.put("loading", services.persistence().isLoading())
        .put("loadedPercent", info.numberOfLoading("loading_loaded_perc"))
        .put("snapshots", savesByItself)
        .put("lastSaveSeconds", info.number("rdb_last_save_time"))
        .put("saves", info.number("rdb_saves"))
        .put("changesSinceSave", info.number("rdb_changes_since_last_save"))
        .put("saving", info.number("rdb_bgsave_in_progress") != 0)
        .put("lastSaveOk", info.isOk("rdb_last_bgsave_status"))
        .put("log", info.number("aof_enabled") != 0)
        .put("logPolicy", services.config().appendfsync())
        .put("logBytes", info.numberOfLog("aof_current_size"))
        .put("logOk", info.isOk("aof_last_write_status"))
        .put("rewriting", info.number("aof_rewrite_in_progress") != 0);
  }
}
