package io.porteiro.server.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentSettingsTest {
  @TempDir Path directory;

  private static ServerConfig start(Map<String, String> environment, String... arguments)
      throws FatalConfigException {
    var input = new ByteArrayInputStream("hz 30\ntimeout 30\n".getBytes(ISO_8859_1));
    CommandLine.Wish wish = CommandLine.parse(arguments, new Surroundings(input, environment, 0));
    return ((CommandLine.Start) wish).config();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text, ISO_8859_1).toString();
  }

  @Test
  void start_variables_setDirectives() throws FatalConfigException {
    ServerConfig config =
        start(
            Map.of(
                "PORTEIRO_APPENDFSYNC", "always",
                "PORTEIRO_BF_ERROR_RATE", "0.002",
                "PORTEIRO_MAXMEMORY", "2gb",
                "PATH", "/bin",
                "REDIS_PORT", "1"));
    assertThat(config.appendfsync()).isEqualTo("always");
    assertThat(config.bfErrorRate()).isEqualTo(0.002);
    assertThat(config.maxmemory()).isEqualTo(2L << 30);
  }

  @Test
  void start_allSources_countInTheirOrder() throws Exception {
    String defaults =
        file("defaults.conf", "port 10\nmaxclients 10\nhz 10\ntimeout 10\ntcp-backlog 10");
    String file = file("redis.conf", "maxclients 20\nhz 20\ntimeout 20\ntcp-backlog 20");
    Map<String, String> environment =
        Map.of(
            "PORTEIRO_DEFAULTS", defaults,
            "PORTEIRO_TIMEOUT", "40",
            "PORTEIRO_TCP_BACKLOG", "40");
    ServerConfig config = start(environment, file, "--tcp-backlog", "50", "-");
    assertThat(config.port()).isEqualTo(10);
    assertThat(config.maxclients()).isEqualTo(20);
    assertThat(config.hz()).isEqualTo(30);
    assertThat(config.timeout()).isEqualTo(40);
    assertThat(config.tcpBacklog()).isEqualTo(50);
    assertThat(config.configFile()).isEqualTo(Path.of(file));
  }

  @Test
  void start_severalWords_areApartByBlanks() throws FatalConfigException {
    ServerConfig config =
        start(Map.of("PORTEIRO_BIND", "127.0.0.1 -::1", "PORTEIRO_SAVE", "60 5 900 1"));
    assertThat(config.bind()).containsExactly("127.0.0.1", "-::1");
    assertThat(config.save()).containsExactly(new SavePoint(60, 5), new SavePoint(900, 1));
    assertThat(start(Map.of("PORTEIRO_SAVE", "")).save()).isEmpty();
  }

  /** A password may hold blanks and quotes; nobody quotes them in a variable. */
  @Test
  void start_oneWord_isTakenAsItIs() throws FatalConfigException {
    assertThat(start(Map.of("PORTEIRO_REQUIREPASS", "a \"b' é")).requirepass())
        .isEqualTo(ByteText.ofText("a \"b' é"));
    assertThat(start(Map.of("PORTEIRO_REQUIREPASS", "")).requirepass()).isEmpty();
  }

  @Test
  void start_severalLines_areSeveralUsers() throws FatalConfigException {
    assertThat(start(Map.of("PORTEIRO_USER", "alice on\n\nbob off +get\n")).userLines())
        .extracting(UserLine::name)
        .containsExactly("alice", "bob");
  }

  @ParameterizedTest
  @CsvSource({
    "PORTEIRO_NOSUCH,1,Bad directive or wrong number of arguments",
    "PORTEIRO_APENDFSYNC,always,Bad directive or wrong number of arguments",
    "PORTEIRO_PORT,x,argument couldn't be parsed into an integer",
    "PORTEIRO_appendfsync,x,argument(s) must be one of the following:",
    "PORTEIRO_,1,Bad directive",
  })
  void start_badVariable_isFatal(String variable, String value, String reason) {
    assertThatThrownBy(() -> start(Map.of(variable, value)))
        .isInstanceOf(FatalConfigException.class)
        .hasMessageContaining("Reading the environment variable " + variable + "\n>>> '")
        .hasMessageContaining(reason);
  }

  /** Else a Service named "porteiro" would keep all pods of its namespace from starting. */
  @Test
  void start_variablesOfKubernetesServices_areIgnored() throws FatalConfigException {
    ServerConfig config =
        start(
            Map.of(
                "PORTEIRO_SERVICE_HOST", "10.0.0.1",
                "PORTEIRO_SERVICE_PORT", "6379",
                "PORTEIRO_SERVICE_PORT_REDIS", "6379",
                "PORTEIRO_PORT", "tcp://10.0.0.1:6379",
                "PORTEIRO_PORT_6379_TCP", "tcp://10.0.0.1:6379",
                "PORTEIRO_PORT_6379_TCP_PROTO", "tcp",
                "PORTEIRO_PORT_6379_TCP_PORT", "6379",
                "PORTEIRO_PORT_6379_TCP_ADDR", "10.0.0.1",
                "PORTEIRO_HEADLESS_SERVICE_HOST", "None",
                "PORTEIRO_HEADLESS_PORT", "tcp://10.0.0.2:6379"));
    assertThat(config.port()).isEqualTo(6379);
  }

  @Test
  void start_launchersVariables_areNoSettings() throws FatalConfigException {
    assertThat(start(Map.of("PORTEIRO_JAVA_HOME", "/x", "PORTEIRO_JAVA_OPTS", "-Xmx1g")).port())
        .isEqualTo(6379);
  }

  @Test
  void start_defaultMaxmemory_isTakenWhereNobodySetsAnother() throws FatalConfigException {
    assertThat(inContainer().maxmemory()).isEqualTo(1000);
    assertThat(inContainer("--maxmemory", "0").maxmemory()).isZero();
    assertThat(inContainer("--maxmemory", "2000").maxmemory()).isEqualTo(2000);
  }

  private static ServerConfig inContainer(String... arguments) throws FatalConfigException {
    var surroundings = new Surroundings(InputStream.nullInputStream(), Map.of(), 1000);
    return ((CommandLine.Start) CommandLine.parse(arguments, surroundings)).config();
  }

  @Test
  void start_missingDefaultsFile_isFatal() {
    assertThatThrownBy(() -> start(Map.of("PORTEIRO_DEFAULTS", "/nonexistent/x.conf")))
        .hasMessageContaining("can't open config file '/nonexistent/x.conf'");
  }
}
