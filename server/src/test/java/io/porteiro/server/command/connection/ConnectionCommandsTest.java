package io.porteiro.server.command.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandFamilyTest;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionCommandsTest extends CommandFamilyTest {
  ConnectionCommandsTest() {
    super(ConnectionCommands.commands());
  }

  @Test
  void ping_withAndWithoutText_answersIt() {
    assertThat(call("PING")).isEqualTo("+PONG");
    assertThat(call("ping hello")).isEqualTo("\"hello\"");
    assertThat(call("PING a b")).isEqualTo("-ERR wrong number of arguments for 'ping' command");
  }

  @Test
  void select_databases_areChecked() {
    assertThat(call("SELECT 15")).isEqualTo("+OK");
    assertThat(client.session().database()).isEqualTo(15);
    assertThat(call("SELECT 16")).isEqualTo("-ERR DB index is out of range");
    assertThat(call("SELECT -1")).isEqualTo("-ERR DB index is out of range");
    assertThat(call("SELECT a")).isEqualTo("-ERR value is not an integer or out of range");
    assertThat(client.session().database()).isEqualTo(15);
  }

  @Test
  void quit_answersAndCloses() {
    assertThat(call("QUIT")).isEqualTo("+OK");
    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void hello_protocol3_switchesAndDescribesTheServer() {
    assertThat(call("HELLO 3")).contains("\"proto\"", ":3", "\"modules\"", "\"bf\"");
    assertThat(client.session().reply().protocol()).isEqualTo(3);
    assertThat(call("HELLO")).contains(":3");
    assertThat(call("HELLO 2")).contains(":2");
    assertThat(client.session().reply().protocol()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "HELLO 1|NOPROTO unsupported protocol version",
        "HELLO 4|NOPROTO unsupported protocol version",
        "HELLO abc|ERR Protocol version is not an integer or out of range",
        "HELLO 3 SETNAME|ERR Syntax error in HELLO option 'SETNAME'",
        "HELLO 3 AUTH default|ERR Syntax error in HELLO option 'AUTH'",
        "HELLO 3 FOO|ERR Syntax error in HELLO option 'FOO'",
        "HELLO 3 AUTH nobody x|WRONGPASS invalid username-password pair or user is disabled.",
        "AUTH a b c|ERR syntax error",
        "AUTH nobody x|WRONGPASS invalid username-password pair or user is disabled.",
        "CLIENT FOO|ERR unknown subcommand 'FOO'. Try CLIENT HELP.",
        "CLIENT SETNAME a\u007f|ERR Client names cannot contain spaces, newlines or special"
            + " characters.",
        "CLIENT SETINFO foo bar|ERR Unrecognized option 'foo'",
        "CLIENT SETINFO lib-ver \u00e4|ERR lib-ver cannot contain spaces, newlines or special"
            + " characters.",
        "CLIENT LIST TYPE foo|ERR Unknown client type 'foo'",
        "CLIENT LIST FOO|ERR syntax error",
        "CLIENT LIST ID abc|ERR Invalid client ID",
        "CLIENT REPLY FOO|ERR syntax error",
        "CLIENT NO-EVICT FOO|ERR syntax error",
        "CLIENT KILL 127.0.0.1:1|ERR No such client",
        "CLIENT KILL USER nobody|ERR No such user 'nobody'",
        "CLIENT KILL ID 0|ERR client-id should be greater than 0",
        "CLIENT KILL FOO bar|ERR syntax error",
        "CLIENT KILL SKIPME maybe|ERR syntax error",
        "CLIENT PAUSE abc|ERR timeout is not an integer or out of range",
        "CLIENT PAUSE -1|ERR timeout is negative",
        "CLIENT PAUSE 9223372036854775807|ERR timeout is out of range",
        "CLIENT PAUSE 100 FOO|ERR CLIENT PAUSE mode must be WRITE or ALL",
        "CLIENT UNBLOCK abc|ERR value is not an integer or out of range",
        "CLIENT UNBLOCK 1 FOO|ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR",
        "CLIENT TRACKING FOO|ERR syntax error",
        "CLIENT TRACKING ON PREFIX|ERR syntax error",
        "CLIENT TRACKING ON REDIRECT|ERR syntax error",
        "CLIENT TRACKING ON REDIRECT x|ERR value is not an integer or out of range",
        "CLIENT TRACKING ON REDIRECT 99|ERR The client ID you want redirect to does not exist",
        "CLIENT TRACKING OFF REDIRECT 99|ERR The client ID you want redirect to does not exist",
        "CLIENT TRACKING ON REDIRECT 1 REDIRECT 1|ERR A client can only redirect to a single other"
            + " client",
        "CLIENT TRACKING ON PREFIX a|ERR PREFIX option requires BCAST mode to be enabled",
        "CLIENT TRACKING ON BCAST OPTIN|ERR OPTIN and OPTOUT are not compatible with BCAST",
        "CLIENT TRACKING ON OPTIN OPTOUT|ERR You can't specify both OPTIN mode and OPTOUT mode",
        "CLIENT TRACKING ON BCAST PREFIX q PREFIX qq|ERR Prefix 'q' overlaps with another provided"
            + " prefix 'qq'. Prefixes for a single client must not overlap.",
        "CLIENT CACHING YES|ERR CLIENT CACHING can be called only when the client is in tracking"
            + " mode with OPTIN or OPTOUT mode enabled",
      })
  void call_wrongArguments_answersRedisError(String line, String error) {
    assertThat(call(line)).isEqualTo("-" + error);
  }

  @Test
  void auth_noPasswordSet_onlyTheUserCounts() {
    assertThat(call("AUTH foo")).startsWith("-ERR AUTH <password> called without any password");
    assertThat(call("AUTH default foo")).isEqualTo("+OK");
  }

  @Test
  void auth_passwordSet_isNeededAndChecked() throws ConfigException {
    server.configure("requirepass", "sesame");
    client.session().setAuthenticated(false);
    assertThat(call("PING")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(call("HELLO 3")).startsWith("-NOAUTH HELLO must be called");
    assertThat(call("AUTH wrong")).startsWith("-WRONGPASS");
    assertThat(call("HELLO 2 AUTH default sesame SETNAME me")).contains("\"proto\"");
    assertThat(call("PING")).isEqualTo("+PONG");
    assertThat(call("CLIENT GETNAME")).isEqualTo("\"me\"");
    assertThat(call("RESET")).isEqualTo("+RESET");
    assertThat(call("PING")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(call("AUTH sesame")).isEqualTo("+OK");
  }

  /** A failed HELLO must change neither name nor protocol. */
  @Test
  void hello_wrongPassword_changesNothing() throws ConfigException {
    server.configure("requirepass", "sesame");
    assertThat(call("HELLO 3 SETNAME me AUTH default x")).startsWith("-WRONGPASS");
    assertThat(client.session().reply().protocol()).isEqualTo(2);
    assertThat(client.session().name()).isEmpty();
  }

  @Test
  void reset_forgetsAllButTheLibrary() {
    call("CLIENT SETINFO LIB-NAME lib");
    call("CLIENT SETNAME me");
    call("SELECT 3");
    call("HELLO 3");
    assertThat(call("RESET")).isEqualTo("+RESET");
    assertThat(client.session().database()).isZero();
    assertThat(client.session().name()).isEmpty();
    assertThat(client.session().reply().protocol()).isEqualTo(2);
    assertThat(client.session().libraryName()).isEqualTo("lib");
  }

  @Test
  void clientReply_offAndSkip_silenceWhatRedisSilences() {
    assertThat(client.batch("CLIENT REPLY SKIP", "PING", "ECHO a")).containsExactly("\"a\"");
    assertThat(client.batch("CLIENT REPLY OFF", "PING", "ECHO a")).isEmpty();
    assertThat(client.batch("CLIENT REPLY ON", "ECHO b")).containsExactly("+OK", "\"b\"");
  }

  @Test
  void clientList_filters_selectLines() {
    HarnessClient other = server.client();
    other.call("CLIENT", "SETNAME", "two");
    assertThat(call("CLIENT LIST")).contains("name=two", "cmd=client|list", "resp=2");
    assertThat(call("CLIENT LIST ID " + other.session().id())).contains("name=two");
    assertThat(call("CLIENT LIST ID 999")).isEqualTo("\"\"");
    assertThat(call("CLIENT LIST TYPE pubsub")).isEqualTo("\"\"");
    assertThat(call("CLIENT LIST TYPE normal")).contains("name=two");
    assertThat(call("CLIENT INFO")).contains("flags=N").doesNotContain("name=two");
  }

  @Test
  void clientKill_filters_spareTheCallerUnlessTold() {
    HarnessClient other = server.client();
    assertThat(call("CLIENT KILL TYPE normal")).isEqualTo(":1");
    other.unread();
    assertThat(other.isClosed()).isTrue();
    String id = Long.toString(client.session().id());
    assertThat(call("CLIENT KILL ID " + id)).isEqualTo(":0");
    assertThat(call("CLIENT KILL ID " + id + " SKIPME no")).isEqualTo(":1");
    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void clientKill_maxAge_needsAnOldConnection() {
    server.client();
    assertThat(call("CLIENT KILL MAXAGE 10")).isEqualTo(":0");
    assertThat(call("CLIENT KILL MAXAGE 0")).isEqualTo("-ERR maxage should be greater than 0");
  }

  @Test
  void clientPause_writesOnly_letsReadsPass() {
    assertThat(call("CLIENT PAUSE 1000 WRITE")).isEqualTo("+OK");
    assertThat(call("PING")).isEqualTo("+PONG");
    assertThat(call("CLIENT UNPAUSE")).isEqualTo("+OK");
    assertThat(call("CLIENT PAUSE 1000")).isEqualTo("+OK");
    client.send("PING");
    assertThat(client.isHeld()).isTrue();
  }
}
