package io.porteiro.server.command.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.porteiro.server.command.CommandFamilyTest;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.config.ConfigException;
import io.porteiro.server.config.ServerConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminCommandsTest extends CommandFamilyTest {
  private final ServerConfig observed;
  private final Observation observation;

  AdminCommandsTest() {
    ServerConfig config = ServerConfig.of();
    Observation of = new Observation(config, InstantSource.system());
    super(
        AdminCommands.commands(of, ServerIdentity.create(0), _ -> {}),
        ConnectionCommands.commands(),
        BloomCommands.commands(),
        TransactionCommands.commands());
    observed = config;
    observation = of;
  }

  @Test
  void configGet_names_areAnsweredAsSpelled() {
    assertThat(call("CONFIG GET MaxMemory")).isEqualTo("[\"MaxMemory\" \"0\"]");
    assertThat(call("CONFIG GET nosuch")).isEqualTo("[]");
    assertThat(call("CONFIG GET *")).contains("\"maxmemory\"", "\"bf-error-rate\"");
  }

  @Test
  void configSet_values_areTaken() {
    assertThat(call("CONFIG SET timeout 10 maxmemory 1mb")).isEqualTo("+OK");
    assertThat(server.services().config().timeout()).isEqualTo(10);
    assertThat(server.services().config().maxmemory()).isEqualTo(1 << 20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "CONFIG SET timeout 1 maxmemory~ERR syntax error",
        "CONFIG SET nosuch 1~ERR Unknown option or number of arguments for CONFIG SET - 'nosuch'",
        "CONFIG SET databases 5~ERR CONFIG SET failed (possibly related to argument 'databases') -"
            + " can't set immutable config",
        "CONFIG SET dir /~ERR CONFIG SET failed (possibly related to argument 'dir') - can't set"
            + " protected config",
        "CONFIG GET~ERR wrong number of arguments for 'config|get' command",
        "CONFIG REWRITE~ERR The server is running without a config file",
        "CONFIG FOO~ERR unknown subcommand 'FOO'. Try CONFIG HELP.",
        "SLOWLOG GET abc~ERR count should be greater than or equal to -1",
        "SLOWLOG GET -2~ERR count should be greater than or equal to -1",
        "LATENCY GRAPH command~ERR No samples available for event 'command'",
        "BGSAVE FOO~ERR syntax error",
        "BGSAVE SCHEDULE x~ERR syntax error",
        "SHUTDOWN SAVE NOSAVE~ERR syntax error",
        "SHUTDOWN ABORT NOW~ERR syntax error",
        "SHUTDOWN ABORT~ERR No shutdown in progress.",
        "REPLICAOF host 6379~ERR replication is not supported yet",
        "WAIT abc 0~ERR value is not an integer or out of range",
        "WAIT 0 -1~ERR timeout is negative",
        "COMMAND FOO~ERR unknown subcommand 'FOO'. Try COMMAND HELP.",
        "LOLWUT VERSION 5 9 x~ERR value is not an integer or out of range",
        "LOLWUT VERSION x~ERR value is not an integer or out of range",
        "SCRIPT LOAD x~ERR unknown subcommand 'LOAD'. Try SCRIPT HELP.",
        "FUNCTION LIST~ERR unknown subcommand 'LIST'. Try FUNCTION HELP.",
        "COMMAND LIST FILTERBY~ERR syntax error",
        "COMMAND LIST FILTERBY FOO bar~ERR syntax error",
        "COMMAND GETKEYS NOSUCH a~ERR Invalid command specified",
        "COMMAND GETKEYS BF.ADD a~ERR Invalid number of arguments specified for command",
        "COMMAND GETKEYS PING~ERR The command has no key arguments",
        "MODULE UNLOAD bf~ERR MODULE command not allowed. If the enable-module-command option is"
            + " set to \"local\", you can run it from a local connection, otherwise you need to set"
            + " this option in the configuration file, and then restart the server.",
      })
  void call_wrongArguments_answersRedisError(String line, String error) {
    assertThat(call(line)).isEqualTo("-" + error);
  }

  @Test
  void info_sections_areThoseAskedFor() {
    assertThat(call("INFO")).startsWith("\"# Server\\r\\nredis_version:").contains("# Keyspace");
    assertThat(call("INFO nosuch cluster")).isEqualTo("\"# Cluster\\r\\ncluster_enabled:0\\r\\n\"");
    assertThat(call("INFO nosuch")).isEqualTo("\"\"");
    assertThat(call("INFO")).doesNotContain("# Commandstats");
    assertThat(call("INFO everything")).contains("# Commandstats", "# Latencystats", "# Bloom");
    assertThat(call("INFO modules")).contains("module:name=bf,ver=");
  }

  /** A field that is listed twice, or a line without a colon, confuses who reads it. */
  @Test
  void info_everything_isWellFormed() {
    String[] lines = call("INFO everything").replace("\"", "").split("\\\\r\\\\n", -1);
    List<String> names = new ArrayList<>();
    for (String line : lines) {
      assertThat(line.isEmpty() || line.startsWith("# ") || line.contains(":")).as(line).isTrue();
      names.add(line.startsWith("#") || line.isEmpty() ? line : line.split(":", 2)[0]);
    }
    names.removeIf(String::isEmpty);
    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(120);
  }

  @Test
  void info_statistics_countAndReset() {
    call("PING");
    call("CONFIG SET nosuch 1");
    assertThat(call("INFO commandstats")).contains("cmdstat_ping:calls=1,", "failed_calls=1");
    assertThat(call("INFO errorstats")).contains("errorstat_ERR:count=1");
    call("CONFIG RESETSTAT");
    assertThat(call("INFO errorstats")).isEqualTo("\"# Errorstats\\r\\n\"");
    assertThat(call("INFO commandstats")).doesNotContain("cmdstat_ping");
    assertThat(call("INFO stats")).contains("total_error_replies:0\\r\\n");
  }

  @Test
  void info_keyspace_countsKeysAndExpiries() {
    call("BF.ADD a x");
    call("SELECT 3");
    call("BF.ADD b x");
    assertThat(call("INFO keyspace"))
        .contains("db0:keys=1,expires=0,avg_ttl=0", "db3:keys=1,expires=0,avg_ttl=0");
  }

  @Test
  void latencyHistogram_calledCommand_countsItsCalls() {
    call("PING");
    call("PING");
    assertThat(call("LATENCY HISTOGRAM ping nosuch"))
        .startsWith("[\"ping\" [\"calls\" :2 \"histogram_usec\" [:")
        .endsWith(":2]]]");
  }

  @Test
  void command_everyCommand_isDocumented() {
    for (CommandSpec spec : server.services().table().byId()) {
      assertThat(CommandDocs.shared().has(spec.fullName())).as(spec.fullName()).isTrue();
    }
  }

  @Test
  void commandDocs_bloomAdd_isTheRecordedAnswer() {
    assertThat(call("COMMAND DOCS bf.add nosuch"))
        .isEqualTo(
            "[\"bf.add\" [\"summary\" \"Adds an item to a Bloom Filter\" \"since\" \"1.0.0\""
                + " \"group\" \"module\" \"complexity\" \"O(k), where k is the number of hash"
                + " functions used by the last sub-filter\" \"module\" \"bf\" \"arguments\""
                + " [[\"name\" \"key\" \"type\" \"key\" \"display_text\" \"key\""
                + " \"key_spec_index\" :0] [\"name\" \"item\" \"type\" \"string\""
                + " \"display_text\" \"item\"]]]]");
  }

  @Test
  void commandInfo_bloomAdd_isTheRecordedAnswer() {
    assertThat(call("COMMAND INFO bf.add nosuch"))
        .startsWith("[[\"bf.add\" :3 [+write +denyoom +module] :1 :1 :1 [+@write +@bloom] [] [[")
        .contains("\"begin_search\" [\"type\" \"index\" \"spec\" [\"index\" :1]]")
        .endsWith(" nil]");
  }

  @Test
  void commandList_filters_selectNames() {
    assertThat(call("COMMAND LIST FILTERBY PATTERN BF.*ADD"))
        .contains("\"bf.add\"", "\"bf.madd\"")
        .doesNotContain("\"ping\"");
    assertThat(call("COMMAND LIST FILTERBY MODULE bf")).contains("\"bf.card\"");
    assertThat(call("COMMAND LIST FILTERBY MODULE x")).isEqualTo("[]");
    assertThat(call("COMMAND LIST FILTERBY ACLCAT connection")).contains("\"ping\"");
  }

  @Test
  void commandGetKeys_keysOfAFilterCommand_areFound() {
    assertThat(call("COMMAND GETKEYS BF.MADD b a c")).isEqualTo("[\"b\"]");
    assertThat(call("COMMAND GETKEYSANDFLAGS BF.ADD b a")).isEqualTo("[[\"b\" [+RW]]]");
  }

  @Test
  void save_inAllWays_asksThePersistence() {
    assertThat(call("SAVE")).isEqualTo("+OK");
    assertThat(call("BGSAVE")).isEqualTo("+Background saving started");
    assertThat(server.persistence().take()).containsExactly("save", "bgsave");
    server.persistence().setSaving(true);
    assertThat(call("SAVE")).isEqualTo("-ERR Background save already in progress");
    assertThat(call("BGSAVE")).isEqualTo("-ERR Background save already in progress");
    assertThat(call("BGSAVE SCHEDULE")).isEqualTo("+Background saving scheduled");
  }

  @Test
  void save_failure_isAnswered() {
    server.persistence().setSaveFailure("disk full");
    assertThat(call("SAVE")).isEqualTo("-ERR disk full");
  }

  @Test
  void shutdown_options_arePassedOn() {
    server.lifecycle().setFailure("ERR Errors trying to SHUTDOWN. Check logs.");
    assertThat(call("SHUTDOWN")).isEqualTo("-ERR Errors trying to SHUTDOWN. Check logs.");
    call("SHUTDOWN NOSAVE NOW FORCE");
    assertThat(server.lifecycle().take())
        .containsExactly("shutdown DEFAULT", "shutdown NOSAVE now force");
  }

  @Test
  void debug_notEnabled_isRefused() {
    assertThat(call("DEBUG SLEEP 0")).startsWith("-ERR DEBUG command not allowed.");
  }

  @Test
  void monitor_commandsOfOthers_areShownUntilReset() {
    server.observer().forwardTo(observation);
    server.observer().setMonitoring(true);
    HarnessClient other = server.client();
    assertThat(call("MONITOR")).isEqualTo("+OK");
    other.call("ECHO", "a\0\"b");
    other.call("CONFIG", "GET", "maxmemory");
    assertThat(client.unread())
        .singleElement(STRING)
        .matches("\\+\\d+\\.\\d{6} \\[0 127.0.0.1:5000\\] \"ECHO\" \"a.+x00.+b\"");
    assertThat(call("RESET")).isEqualTo("+RESET");
    client.unread();
    other.call("PING");
    assertThat(client.unread()).isEmpty();
    assertThat(observation.isMonitoring()).isFalse();
  }

  @Test
  void monitor_transactions_areShownInTheOrderOfExecution() {
    server.observer().forwardTo(observation);
    server.observer().setMonitoring(true);
    call("MONITOR");
    server
        .client()
        .batch("MULTI", "BF.ADD f x", "PING", "exec", "MULTI", "NOSUCH", "EXEC", "MULTI", "EXEC");
    assertThat(client.unread())
        .extracting(line -> line.substring(line.indexOf("] ") + 2))
        .containsExactly(
            "\"MULTI\"",
            "\"BF.ADD\" \"f\" \"x\"",
            "\"PING\"",
            "\"exec\"",
            "\"MULTI\"",
            "\"EXEC\"",
            "\"MULTI\"",
            "\"EXEC\"");
  }

  @Test
  void monitor_itsConnection_mayNotUseKeys() {
    call("MONITOR");
    for (String line : List.of("BF.ADD f x", "BF.EXISTS f x", "LOLWUT")) {
      assertThat(call(line)).isEqualTo("-ERR Replica can't interact with the keyspace");
    }
    assertThat(call("PING")).isEqualTo("+PONG");
    call("RESET");
    assertThat(call("BF.EXISTS f x")).isEqualTo(":0");
  }

  @Test
  void monitor_insideMulti_isRefused() {
    call("MULTI");
    call("MONITOR");
    assertThat(call("EXEC")).isEqualTo("[-ERR MONITOR isn't allowed for DENY BLOCKING client]");
  }

  /** Logs are read by more people than know the password. */
  @Test
  void logs_passwords_areNeverInThem() {
    server.observer().forwardTo(observation);
    server.observer().setMonitoring(true);
    server.observer().setSlowNanos(0);
    observeEverything();
    HarnessClient other = server.client();
    call("MONITOR");
    other.call("AUTH", "default", "sesame");
    other.call("HELLO", "2", "AUTH", "default", "sesame");
    other.call("CONFIG", "SET", "timeout", "1", "requirepass", "sesame");
    assertThat(client.unread().toString()).contains("AUTH").doesNotContain("sesame");
    assertThat(call("SLOWLOG GET 20").replace("\"(redacted)\"", "***"))
        .contains("[\"AUTH\" *** ***]")
        .contains("[\"HELLO\" \"2\" \"AUTH\" *** ***]")
        .contains("[\"CONFIG\" \"SET\" \"timeout\" \"1\" \"requirepass\" ***]")
        .doesNotContain("sesame");
  }

  private void observeEverything() {
    try {
      observed.set(List.of("slowlog-log-slower-than", "0"), false);
    } catch (ConfigException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void slowLog_longArguments_areCut() {
    server.observer().forwardTo(observation);
    server.observer().setSlowNanos(0);
    observeEverything();
    call("ECHO " + "x".repeat(200));
    assertThat(call("SLOWLOG GET 1")).contains("x".repeat(128) + "... (72 more bytes)\"");
    call("COMMAND INFO" + " a".repeat(38));
    assertThat(call("SLOWLOG GET 1")).contains("\"... (9 more arguments)\"");
    assertThat(call("SLOWLOG LEN")).isEqualTo(":4");
    assertThat(call("SLOWLOG RESET")).isEqualTo("+OK");
  }

  @Test
  void module_list_namesTheBuiltInOne() {
    assertThat(call("MODULE LIST")).startsWith("[[\"name\" \"bf\" \"ver\" :");
  }

  @Test
  void role_withoutReplicas_isMaster() {
    assertThat(call("ROLE")).isEqualTo("[\"master\" :0 []]");
    assertThat(call("REPLICAOF no one")).isEqualTo("+OK");
    assertThat(call("WAIT 1 50")).isEqualTo(":0");
  }

  @Test
  void memory_reports_answer() {
    assertThat(call("MEMORY DOCTOR")).contains("in use");
    assertThat(call("MEMORY STATS")).contains("\"peak.allocated\"", "\"keys.count\" :0");
    assertThat(call("MEMORY PURGE")).isEqualTo("+OK");
  }
}
