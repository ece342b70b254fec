package io.porteiro.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
  @TempDir Path directory;

  private static ServerConfig start(String... arguments) throws FatalConfigException {
    return startWithInput("", arguments);
  }

  private static ServerConfig startWithInput(String input, String... arguments)
      throws FatalConfigException {
    InputStream in = new ByteArrayInputStream(input.getBytes(ISO_8859_1));
    CommandLine.Wish wish = CommandLine.parse(arguments, new Surroundings(in, Map.of(), 0));
    assertThat(wish).isInstanceOf(CommandLine.Start.class);
    return ((CommandLine.Start) wish).config();
  }

  private String file(String... lines) throws IOException {
    return Files.write(directory.resolve("redis.conf"), List.of(lines), ISO_8859_1).toString();
  }

  @Test
  void parse_options_setDirectives() throws FatalConfigException {
    ServerConfig config = start("--port", "7777", "--save", "", "--maxmemory", "2gb");
    assertThat(config.port()).isEqualTo(7777);
    assertThat(config.save()).isEmpty();
    assertThat(config.maxmemory()).isEqualTo(2L << 30);
  }

  @Test
  void parse_severalWordsAndOneArgument_areTaken() throws FatalConfigException {
    ServerConfig config = start("--port 7777", "--bind", "127.0.0.1", "-::1", "--save", "60", "5");
    assertThat(config.port()).isEqualTo(7777);
    assertThat(config.bind()).containsExactly("127.0.0.1", "-::1");
    assertThat(config.save()).containsExactly(new SavePoint(60, 5));
  }

  @Test
  void parse_saveWithoutWords_isNoSavePoints() throws FatalConfigException {
    assertThat(start("--save", "--port", "7").save()).isEmpty();
    assertThat(start("--save").save()).isEmpty();
  }

  @Test
  void parse_valueThatLooksLikeAName_isAValue() throws FatalConfigException {
    assertThat(start("--requirepass", "--save", "--port", "7").requirepass()).isEqualTo("--save");
  }

  @Test
  void parse_fileInputAndOptions_countInThisOrder() throws Exception {
    String file = file("# comment", "", "port 1", "hz 11", "timeout 5");
    ServerConfig config = startWithInput("hz 12\ntimeout 6\n", file, "--timeout", "7", "-");
    assertThat(config.port()).isEqualTo(1);
    assertThat(config.hz()).isEqualTo(12);
    assertThat(config.timeout()).isEqualTo(7);
    assertThat(config.configFile()).isEqualTo(Path.of(file));
  }

  @Test
  void parse_directivesThatAddUp_replaceTheStockValueFirst() throws Exception {
    ServerConfig config =
        start(
            file(
                "save 10 1",
                "save 20 2",
                "client-output-buffer-limit normal 1 2 3",
                "client-output-buffer-limit pubsub 4 5 6"));
    assertThat(config.save()).containsExactly(new SavePoint(10, 1), new SavePoint(20, 2));
    assertThat(config.clientOutputBufferLimit().normal()).isEqualTo(new OutputBufferLimit(1, 2, 3));
    assertThat(config.clientOutputBufferLimit().pubsub()).isEqualTo(new OutputBufferLimit(4, 5, 6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stock-redis-7.conf", "stock-redis-8.conf"})
  void parse_stockFile_isAccepted(String name) throws Exception {
    Path copy = directory.resolve(name);
    try (InputStream in = CommandLineTest.class.getResourceAsStream(name)) {
      Files.copy(in, copy);
    }
    ServerConfig config = start(copy.toString());
    assertThat(config.bind()).containsExactly("127.0.0.1", "-::1");
    assertThat(config.warnings()).hasSizeLessThan(2);
  }

  @Test
  void parse_include_readsFilesInOrder() throws Exception {
    Files.writeString(directory.resolve("b.conf"), "port 2\nhz 22\n");
    Files.writeString(directory.resolve("a.conf"), "port 1\n");
    Files.writeString(directory.resolve(".c.conf"), "port 3\n");
    ServerConfig config =
        start(file("include " + directory + "/?.conf", "include " + directory + "/none*.conf"));
    assertThat(config.port()).isEqualTo(2);
    assertThat(config.hz()).isEqualTo(22);
  }

  @Test
  void parse_includeOfItself_endsWithAnError() throws Exception {
    String file = file("include " + directory + "/redis.conf");
    assertThatThrownBy(() -> start(file)).hasMessageContaining("nested too deeply");
  }

  @Test
  void parse_missingFile_isFatal() {
    assertThatThrownBy(() -> start("/nonexistent/x.conf"))
        .hasMessage(
            "Fatal error, can't open config file '/nonexistent/x.conf': No such file or"
                + " directory\n");
  }

  @Test
  void parse_badLineOfAFile_isNamedAsRedisDoes() throws Exception {
    String file = file("port 1", "", "  nosuch 1 ");
    assertThatThrownBy(() -> start(file))
        .isInstanceOf(FatalConfigException.class)
        .hasMessageContaining("*** FATAL CONFIG FILE ERROR (Porteiro ")
        .hasMessageContaining("Reading the configuration file, at line 3")
        .hasMessageEndingWith(">>> 'nosuch 1'\nBad directive or wrong number of arguments\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nosuch 1|Bad directive or wrong number of arguments",
        "port|wrong number of arguments",
        "port 1 2|wrong number of arguments",
        "port \"1|Unbalanced quotes in configuration line",
        "port 70000|argument must be between 0 and 65535 inclusive",
        "unixsocketperm 1000|argument must be between 0 and 777 inclusive",
        "unixsocketperm abc|argument couldn't be parsed as an octal number",
        "dbfilename a/b|dbfilename can't be a path, just a filename",
        "appenddirname a/b|appenddirname can't be a path, just a dirname",
        "dir /nonexistent|No such file or directory",
        "rename-command a|Bad directive or wrong number of arguments",
        "loadmodule|Bad directive or wrong number of arguments",
        "loadmodule /x/redisearch.so|modules are not supported, only the commands of the Bloom"
            + " module, which are built in",
        "loadmodule redisbloom.so FOO 1|Unrecognized option of the Bloom module: FOO",
        "cluster-enabled yes|cluster mode is not supported yet",
        "replicaof 10.0.0.1 6379|replication is not supported yet",
        "replicaof a|wrong number of arguments",
        "user|Bad directive or wrong number of arguments",
        "acl-pubsub-default some|argument(s) must be one of the following: allchannels,"
            + " resetchannels",
        "bind 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17|Too many bind addresses specified.",
      })
  void parse_lineThatCannotBeTaken_saysWhy(String line, String reason) {
    assertThatThrownBy(() -> startWithInput(line, "-"))
        .hasMessageContaining("at line 1\n>>> '" + line + "'\n" + reason + "\n");
  }

  @Test
  void parse_userLines_areKeptWithTheirPlace() throws FatalConfigException {
    List<UserLine> users =
        startWithInput("port 1\nuser alice on \"(+get ~a)\"\nuser bob", "-").userLines();
    assertThat(users).extracting(UserLine::name).containsExactly("alice", "bob");
    assertThat(users.getFirst().rules()).containsExactly("on", "(+get ~a)");
    assertThat(users.getLast().refused("because"))
        .hasMessageContaining("at line 3\n>>> 'user bob'\nbecause\n");
  }

  @Test
  void parse_bloomModule_setsItsArguments() throws FatalConfigException {
    ServerConfig config =
        start("--loadmodule", "/lib/RedisBloom.so", "ERROR_RATE", "0.002", "initial_size", "400");
    assertThat(config.bfErrorRate()).isEqualTo(0.002);
    assertThat(config.bfInitialSize()).isEqualTo(400);
  }

  @Test
  void parse_renameCommand_isKept() throws FatalConfigException {
    assertThat(startWithInput("rename-command CONFIG \"\"\nrename-command GET fetch", "-"))
        .satisfies(config ->
            assertThat(config.renamedCommands())
                .containsEntry("config", "")
                .containsEntry("get", "fetch"));
  }

  @Test
  void parse_passwordOfAnyBytes_isKeptAsBytes() throws FatalConfigException {
    assertThat(startWithInput("requirepass \"\\xff\\x00a\"", "-").requirepass())
        .isEqualTo("\u00ff\0a");
  }

  /** Redis changes its working directory; a log beside the caller instead would be missed. */
  @Test
  void parse_relativePaths_startFromDir() throws FatalConfigException {
    ServerConfig config =
        start("--logfile", "a.log", "--unixsocket", "/x/s", "--dir", directory.toString());
    assertThat(config.logfile()).isEqualTo(directory + "/a.log");
    assertThat(config.unixsocket()).isEqualTo("/x/s");
    assertThat(config.pidfile()).isEmpty();
    assertThat(start("--logfile", "a.log").logfile()).isEqualTo("a.log");
  }

  @Test
  void parse_helpAndVersion_print() throws FatalConfigException {
    assertThat(
            CommandLine.parse(
                new String[] {"--version"},
                new Surroundings(InputStream.nullInputStream(), Map.of(), 0)))
        .isInstanceOfSatisfying(
            CommandLine.Print.class, print -> assertThat(print.text()).contains("Porteiro"));
    assertThat(
            CommandLine.parse(
                new String[] {"-h"}, new Surroundings(InputStream.nullInputStream(), Map.of(), 0)))
        .isInstanceOf(CommandLine.Print.class);
  }

  @Test
  void parse_memoryTest_isRefused() {
    assertThatThrownBy(() -> start("--test-memory", "10")).hasMessageContaining("memtester");
  }
}
