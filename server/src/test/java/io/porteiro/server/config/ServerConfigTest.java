package io.porteiro.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  private final ServerConfig config = new ServerConfig();

  private String get(String name) {
    return String.valueOf(config.get(List.of(name)).get(name));
  }

  private void set(String... namesAndValues) throws ConfigException {
    config.set(List.of(namesAndValues), false);
  }

  @Test
  void accessors_stockSettings_areRedisDefaultsButForTheLog() {
    assertThat(config.port()).isEqualTo(6379);
    assertThat(config.bind()).containsExactly("*", "-::*");
    assertThat(config.databases()).isEqualTo(16);
    assertThat(config.maxclients()).isEqualTo(10_000);
    assertThat(config.maxmemory()).isZero();
    assertThat(config.protoMaxBulkLen()).isEqualTo(512L << 20);
    assertThat(config.hllSparseMaxBytes()).isEqualTo(3000);
    assertThat(config.bfErrorRate()).isEqualTo(0.01);
    assertThat(config.save())
        .containsExactly(
            new SavePoint(3600, 1), new SavePoint(300, 100), new SavePoint(60, 10_000));
    assertThat(config.protectedMode()).isTrue();
    assertThat(config.appendonly()).isTrue();
    assertThat(config.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "maxmemory, 100mb, 104857600",
    "maxmemory, 1g, 1000000000",
    "maxmemory, 10KB, 10240",
    "maxmemory, 5b, 5",
    "maxmemory, '', 0",
    "maxmemory-clients, 7%, 7%",
    "maxmemory-clients, 1mb, 1048576",
    "timeout, 100, 100",
    "rdbcompression, NO, no",
    "maxmemory-policy, ALLKEYS-LRU, allkeys-lru",
    "save, '', ''",
    "save, 900 1 60 5, 900 1 60 5",
    "notify-keyspace-events, KEA, AKE",
    "notify-keyspace-events, xKE$g, g$xKE",
    "notify-keyspace-events, KEgnmd, gdnKEm",
    "bf-error-rate, 0.9, 0.25",
    "bf-error-rate, 0.00001, 0.00001",
    "bf-error-rate, 1e-3, 0.001",
    "client-output-buffer-limit, normal 1kb 2 3, normal 1024 2 3 slave 268435456 67108864 60 pubsub"
        + " 33554432 8388608 60",
    "client-output-buffer-limit, replica 0 0 0 PUBSUB 1 1 1, normal 0 0 0 slave 0 0 0 pubsub 1 1 1",
    "shutdown-on-sigterm, now force, now force",
    "hash-max-ziplist-value, 1kb, 1024",
  })
  void set_goodValue_isReadBackAsRedisShowsIt(String name, String value, String shown)
      throws ConfigException {
    set(name, value);
    assertThat(get(name)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeout|abc|argument couldn't be parsed into an integer",
        "timeout|01|argument couldn't be parsed into an integer",
        "timeout|+1|argument couldn't be parsed into an integer",
        "timeout|-1|argument must be between 0 and 2147483647 inclusive",
        "timeout|9999999999|argument must be between 0 and 2147483647 inclusive",
        "maxmemory|-1|argument must be a memory value",
        "maxmemory|1x|argument must be a memory value",
        "maxmemory|9999999999gb|argument must be a memory value",
        "maxmemory-clients|101%|percentage argument must be less or equal to 100",
        "maxmemory-clients|x%|argument must be a memory or percent value",
        "maxclients|0|argument must be between 1 and 4294967295 inclusive",
        "proto-max-bulk-len|1|argument must be between 1048576 and 9223372036854775807 inclusive",
        "slowlog-log-slower-than|-2|argument must be between -1 and 9223372036854775807 inclusive",
        "maxmemory-samples|0|argument must be between 1 and 64 inclusive",
        "rdbcompression|maybe|argument must be 'yes' or 'no'",
        "appendfsync|x|argument(s) must be one of the following: everysec, always, no",
        "shutdown-on-sigterm|x|argument(s) must be one of the following: default, save, nosave,"
            + " now, force",
        "save|1|Invalid save parameters",
        "save|0 1|Invalid save parameters",
        "save|1 -1|Invalid save parameters",
        "notify-keyspace-events|foo|Invalid event class character. Use 'Ag$lshzxeKEtmdn'.",
        "client-output-buffer-limit|foo|Wrong number of arguments in buffer limit configuration.",
        "client-output-buffer-limit|foo 1 2 3|Invalid client class specified in buffer limit"
            + " configuration.",
        "client-output-buffer-limit|normal x 2 3|Error in hard, soft or soft_seconds setting in"
            + " buffer limit configuration.",
        "oom-score-adj-values|1 2|wrong number of arguments",
        "latency-tracking-info-percentiles|101|latency-tracking-info-percentiles parameters should"
            + " sit between [0.0,100.0]",
        "latency-tracking-info-percentiles|a|Invalid latency-tracking-info-percentiles parameters",
        "bf-error-rate|0|argument must be greater than 0 and less than 1",
        "bf-error-rate|NaN|argument couldn't be parsed into a number",
        "databases|5|can't set immutable config",
        "dir|/|can't set protected config",
      })
  void set_badValue_saysWhyAndChangesNothing(String name, String value, String reason) {
    String before = get(name);
    assertThatThrownBy(() -> set(name, value))
        .hasMessage("CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
    assertThat(get(name)).isEqualTo(before);
  }

  @Test
  void set_oneOfSeveralIsBad_changesNone() {
    assertThatThrownBy(() -> set("timeout", "5", "tcp-keepalive", "abc"))
        .hasMessageContaining("'tcp-keepalive'");
    assertThat(config.timeout()).isZero();
  }

  @Test
  void set_unknownName_isNamedBeforeAnythingElse() {
    assertThatThrownBy(() -> set("databases", "5", "nosuch", "1"))
        .hasMessage("Unknown option or number of arguments for CONFIG SET - 'nosuch'");
  }

  @Test
  void set_sameNameTwice_isRefused() {
    assertThatThrownBy(() -> set("timeout", "5", "TIMEOUT", "6"))
        .hasMessageContaining("'TIMEOUT') - duplicate parameter");
    assertThat(config.timeout()).isZero();
  }

  @Test
  void set_listenerRefuses_takesTheChangeBack() throws ConfigException {
    List<Integer> seen = new ArrayList<>();
    config.onChange("timeout", () -> seen.add(config.timeout()));
    config.onChange(
        "hz",
        () -> {
          if (config.hz() == 77) {
            throw new ConfigException("not that");
          }
        });
    set("timeout", "1");
    assertThatThrownBy(() -> set("timeout", "2", "hz", "77"))
        .hasMessage("CONFIG SET failed (possibly related to argument 'hz') - not that");
    assertThat(config.hz()).isEqualTo(10);
    assertThat(seen).containsExactly(1, 2, 1);
  }

  @Test
  void get_names_areAnsweredAsSpelled() {
    assertThat(config.get(List.of("MaxMemory", "timeout", "nosuch")))
        .containsOnlyKeys("MaxMemory", "timeout");
  }

  @Test
  void get_patterns_findNamesAndAliasesOnce() {
    assertThat(config.get(List.of("*slave-priority", "replica-priority", "repl*priority")))
        .containsOnlyKeys("slave-priority", "replica-priority");
    assertThat(config.get(List.of("*"))).hasSizeGreaterThan(200).containsKey("maxmemory");
    assertThat(config.get(List.of("bf-*")))
        .containsOnlyKeys("bf-error-rate", "bf-initial-size", "bf-expansion-factor");
    assertThat(config.get(List.of("bf-max-capacity"))).containsValue("1073741824");
  }

  @Test
  void hz_anyNumber_isUsedWithinRedisBounds() throws ConfigException {
    set("hz", "1000");
    assertThat(get("hz")).isEqualTo("500");
    assertThat(config.hz()).isEqualTo(500);
    set("hz", "0");
    assertThat(get("hz")).isEqualTo("1");
  }

  @Test
  void warnings_settingsWithoutMeaning_areNamedInOneLine() throws ConfigException {
    set("activedefrag", "yes", "repl-timeout", "5", "maxmemory-policy", "allkeys-lru");
    assertThat(config.warnings())
        .satisfiesExactly(
            inert -> assertThat(inert).contains("activedefrag").contains("repl-timeout"),
            policy -> assertThat(policy).contains("allkeys-lru acts as noeviction"));
  }
}
