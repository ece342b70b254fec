package io.porteiro.server.command.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.pubsub.PubSubCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.config.ConfigException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessCommandsTest {
  private static final String NO_KEY = "-NOPERM No permissions to access a key";
  private static final String NO_CHANNEL = "-NOPERM No permissions to access a channel";

  private final CommandHarness server =
      CommandHarness.of(
          AccessCommands.commands(),
          BloomCommands.commands(),
          ConnectionCommands.commands(),
          KeyspaceCommands.commands(),
          List.of(KeyspaceCommands.migrate(() -> null)),
          PubSubCommands.commands(),
          StringCommands.commands(),
          TransactionCommands.commands());
  private final HarnessClient admin = server.client();
  private final HarnessClient alice = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  /** Words with single blanks between. */
  private static String call(HarnessClient client, String line) {
    return client.call((Object[]) line.split(" ", -1));
  }

  private void alice(String rules) {
    assertThat(call(admin, "ACL SETUSER alice reset on nopass " + rules)).isEqualTo("+OK");
    assertThat(call(alice, "AUTH alice x")).isEqualTo("+OK");
  }

  // ---- the subcommands

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "ACL WHOAMI x;ERR wrong number of arguments for 'acl|whoami' command",
        "ACL CAT a b;ERR unknown subcommand or wrong number of arguments for 'CAT'. Try ACL HELP.",
        "ACL CAT NoSuch;ERR Unknown category 'NoSuch'",
        "ACL SETUSER x foo;ERR Error in ACL SETUSER modifier 'foo': Syntax error",
        "ACL SETUSER x (+get;ERR Unmatched parenthesis in acl selector starting at '(+get'.",
        "ACL DELUSER y default;ERR The 'default' user cannot be removed",
        "ACL DRYRUN nosuch get x;ERR User 'nosuch' not found",
        "ACL DRYRUN default nosuch x;ERR Command 'nosuch' not found",
        "ACL DRYRUN default acl nosuch;ERR Command 'acl' not found",
        "ACL DRYRUN default get;ERR wrong number of arguments for 'get' command",
        "ACL GENPASS 0;ERR ACL GENPASS argument must be the number of bits for the output password,"
            + " a positive number up to 4096",
        "ACL GENPASS 4097;ERR ACL GENPASS argument must be the number of bits for the output"
            + " password, a positive number up to 4096",
        "ACL GENPASS x;ERR value is not an integer or out of range",
        "ACL LOG x;ERR value is not an integer or out of range",
        "ACL SAVE;ERR This Redis instance is not configured to use an ACL file. You may want to"
            + " specify users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming"
            + " you have a Redis configuration file set) in order to store users in the Redis"
            + " configuration.",
      })
  void acl_thatIsWrong_saysWhy(String line, String error) {
    assertThat(call(admin, line)).isEqualTo("-" + error);
  }

  @Test
  void setUser_nameWithABlank_isRefused() {
    assertThat(admin.call("ACL", "SETUSER", "a b"))
        .isEqualTo("-ERR Usernames can't contain spaces or null characters");
  }

  @Test
  void setUser_oneRuleWrong_changesNothing() {
    call(admin, "ACL SETUSER x on");
    assertThat(call(admin, "ACL SETUSER x off +nope")).startsWith("-ERR Error in ACL SETUSER");
    assertThat(call(admin, "ACL SETUSER y on +nope")).startsWith("-ERR Error in ACL SETUSER");
    assertThat(call(admin, "ACL LIST"))
        .isEqualTo(
            "[\"user default on nopass sanitize-payload ~* &* +@all\" \"user x on sanitize-payload"
                + " resetchannels -@all\"]");
  }

  @Test
  void getUser_isAMapWithASetOfFlagsInResp3() {
    call(admin, "ACL SETUSER x on %R~a &c +get (+set ~b)");
    assertThat(call(admin, "ACL GETUSER x"))
        .isEqualTo(
            "[\"flags\" [\"on\" \"sanitize-payload\"] \"passwords\" [] \"commands\" \"-@all +get\""
                + " \"keys\" \"%R~a\" \"channels\" \"&c\" \"selectors\" [[\"commands\" \"-@all"
                + " +set\" \"keys\" \"~b\" \"channels\" \"\"]]]");
    assertThat(call(admin.resp3(), "ACL GETUSER x")).startsWith("{").contains("~[\"on\"");
    assertThat(call(admin, "ACL GETUSER nosuch")).isEqualTo("_");
  }

  @Test
  void genPass_hasAsManyDigitsAsTheBitsNeed() {
    assertThat(call(admin, "ACL GENPASS")).matches("\"[0-9a-f]{64}\"");
    assertThat(call(admin, "ACL GENPASS 5")).matches("\"[0-9a-f]{2}\"");
    assertThat(call(admin, "ACL GENPASS 4096")).matches("\"[0-9a-f]{1024}\"");
    assertThat(call(admin, "ACL GENPASS")).isNotEqualTo(call(admin, "ACL GENPASS"));
  }

  @Test
  void cat_ofACategory_namesSubcommandsToo() {
    assertThat(call(admin, "ACL CAT TRANSACTION"))
        .isEqualTo("[\"multi\" \"exec\" \"discard\" \"watch\" \"unwatch\"]");
    assertThat(call(admin, "ACL CAT admin")).contains("\"acl|setuser\"");
  }

  @Test
  void delUser_closesItsConnectionsAndTellsHowMany() {
    alice("+@all");
    call(admin, "ACL SETUSER bob");
    assertThat(call(admin, "ACL DELUSER alice bob nosuch")).isEqualTo(":2");
    assertThat(alice.session().user().isRemoved()).isTrue();
    alice.unread();
    assertThat(alice.isClosed()).isTrue();
    assertThat(call(admin, "ACL USERS")).isEqualTo("[\"default\"]");
  }

  /** Between the removal and the end of the connection nothing may be executed. */
  @Test
  void delUser_ofAConnectionNotClosedYet_permitsNothing() {
    alice("+@all ~*");
    server.services().users().remove("alice");
    assertThat(call(alice, "GET a"))
        .isEqualTo("-NOPERM User alice has no permissions to run the 'get' command");
  }

  @Test
  void delUser_oneself_isAnsweredBeforeTheEnd() {
    alice("+acl|deluser");
    assertThat(call(alice, "ACL DELUSER alice")).isEqualTo(":1");
    assertThat(alice.session().isClosing()).isTrue();
  }

  @Test
  void setUser_takingChannelsAway_closesWhoIsSubscribed() {
    alice("+subscribe +psubscribe &a* &b");
    HarnessClient bystander = server.client();
    call(bystander, "AUTH alice x");
    call(bystander, "SUBSCRIBE b");
    call(alice, "SUBSCRIBE ab");
    call(admin, "ACL SETUSER alice &c");
    alice.unread();
    assertThat(alice.isClosed()).isFalse();
    call(admin, "ACL SETUSER alice resetchannels &b");
    alice.unread();
    bystander.unread();
    assertThat(alice.isClosed()).isTrue();
    assertThat(bystander.isClosed()).isFalse();
  }

  // ---- logging in

  @Test
  void auth_wrongOrDisabledOrUnknown_isOneErrorAndLogged() {
    call(admin, "ACL SETUSER bob on >pw");
    call(admin, "ACL SETUSER off off >pw");
    for (String line : List.of("AUTH bob no", "AUTH off pw", "AUTH nobody pw")) {
      assertThat(call(alice, line))
          .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled.");
    }
    assertThat(call(alice, "HELLO 2 AUTH bob no")).startsWith("-WRONGPASS");
    assertThat(call(alice, "AUTH bob pw")).isEqualTo("+OK");
    assertThat(call(admin, "ACL LOG"))
        .contains("\"reason\" \"auth\" \"context\" \"toplevel\" \"object\" \"HELLO\"")
        .contains("\"username\" \"nobody\"", "\"username\" \"off\"", " cmd=auth ");
  }

  @Test
  void requirepass_isTheDefaultUsersPassword() throws ConfigException {
    server.configure("requirepass", "sesame");
    assertThat(call(admin, "ACL GETUSER default"))
        .contains("\"flags\" [\"on\" \"sanitize-payload\"]");
    HarnessClient late = server.client();
    assertThat(call(late, "GET a")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(call(late, "AUTH sesame")).isEqualTo("+OK");
    server.configure("requirepass", "");
    assertThat(call(admin, "ACL GETUSER default")).contains("\"nopass\"");
  }

  @Test
  void defaultUser_off_letsNobodyInWithoutAName() {
    call(admin, "ACL SETUSER bob on >pw +@all ~*");
    call(admin, "ACL SETUSER default off");
    HarnessClient late = server.client();
    assertThat(call(late, "GET a")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(call(late, "AUTH bob pw")).isEqualTo("+OK");
    assertThat(call(late, "GET a")).isEqualTo("nil");
    assertThat(call(late, "RESET")).isEqualTo("+RESET");
    assertThat(call(late, "GET a")).isEqualTo("-NOAUTH Authentication required.");
  }

  // ---- what is permitted

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET r|true",
        "GET w|false",
        "GET x|false",
        "SET w 1|true",
        "SET r 1|false",
        "SET w 1 GET|false",
        "SET rw 1 GET|true",
        "EXISTS r w|true",
        "EXISTS r x|false",
        "RENAME r w|false",
        "RENAME rw w|true",
        "RENAME rw r|false",
        "COPY r w|true",
        "COPY w r|false",
        "COPY r x|false",
        "RESTORE w 0 x|true",
        "RESTORE r 0 x|false",
        "MGET r rw|true",
        "MGET r x|false",
        "MSET w 1 rw 1|true",
        "MSET w 1 r 1|false",
        "DEL w|true",
        "DEL r|false",
        "GETDEL rw|true",
        "GETDEL w|false",
        "BF.ADD w a|true",
        "BF.ADD r a|false",
        "BF.EXISTS r a|true",
        "BF.EXISTS w a|false",
        "BF.SCANDUMP r 0|true",
        "BF.SCANDUMP w 0|false",
        "DUMP r|true",
        "DUMP w|false",
        "OBJECT ENCODING r|true",
        "OBJECT ENCODING x|false",
        "KEYS *|true",
        "WATCH r|true",
        "WATCH x|false",
        "MOVE rw 1|true",
        "MOVE w 1|false",
        "MIGRATE h 1 rw 0 1|true",
        "MIGRATE h 1 r 0 1|false",
        "MIGRATE h 1  0 1 KEYS rw w|false",
        "MIGRATE h 1  0 1 COPY AUTH KEYS KEYS rw|true",
        "MIGRATE h 1  0 1 COPY AUTH KEYS KEYS x|false",
        "MIGRATE h 1  0 1 AUTH2 rw KEYS KEYS x|false",
      })
  void key_isPermittedByWhatIsDoneToIt(String line, boolean permitted) {
    alice("+@all %R~r %W~w ~rw");
    if (permitted) {
      assertThat(call(alice, line)).doesNotContain("NOPERM");
    } else {
      assertThat(call(alice, line)).isEqualTo(NO_KEY);
    }
    assertThat(call(admin, "ACL DRYRUN alice " + line).equals("+OK")).isEqualTo(permitted);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUBLISH n1 x|true",
        "PUBLISH m x|false",
        "SPUBLISH n1 x|true",
        "SPUBLISH m x|false",
        "SUBSCRIBE n1|true",
        "SUBSCRIBE n1 m|false",
        "SSUBSCRIBE m|false",
        "PSUBSCRIBE n*|true",
        "PSUBSCRIBE n1|false",
        "UNSUBSCRIBE m|true",
        "PUNSUBSCRIBE m|true",
      })
  void channel_isPermittedByItsPattern(String line, boolean permitted) {
    alice("+@all ~* &n*");
    if (permitted) {
      assertThat(call(alice, line)).doesNotContain("NOPERM");
    } else {
      assertThat(call(alice, line)).isEqualTo(NO_CHANNEL);
    }
  }

  @Test
  void selectors_oneMustPermitAllOfTheCommand() {
    alice("+get ~a (+set ~b) (+mget ~a ~b)");
    assertThat(call(alice, "GET a")).isEqualTo("nil");
    assertThat(call(alice, "SET b 1")).isEqualTo("+OK");
    assertThat(call(alice, "GET b")).isEqualTo(NO_KEY);
    assertThat(call(alice, "SET a 1")).isEqualTo(NO_KEY);
    assertThat(call(alice, "MGET a b")).isEqualTo("[nil \"1\"]");
    assertThat(call(alice, "DEL a"))
        .isEqualTo("-NOPERM User alice has no permissions to run the 'del' command");
  }

  @Test
  void firstArgument_isPermittedAlone() {
    alice("+select|1");
    assertThat(call(alice, "SELECT 1")).isEqualTo("+OK");
    assertThat(call(alice, "SELECT 2"))
        .isEqualTo("-NOPERM User alice has no permissions to run the 'select' command");
  }

  /** Whoever may do nothing can still become someone else. */
  @Test
  void login_isEveryones() {
    alice("-@all");
    assertThat(call(alice, "ECHO x")).startsWith("-NOPERM");
    assertThat(call(alice, "HELLO 2")).doesNotContain("NOPERM");
    assertThat(call(alice, "AUTH default x")).isEqualTo("+OK");
  }

  @Test
  void pipeline_eachCommandIsLookedAt() {
    alice("+bf.add +bf.exists ~a");
    assertThat(alice.batch("BF.ADD a 1", "BF.ADD b 1", "BF.ADD a 2", "BF.EXISTS b 1", "BF.CARD a"))
        .containsExactly(
            ":1",
            NO_KEY,
            ":1",
            NO_KEY,
            "-NOPERM User alice has no permissions to run the 'bf.card' command");
    assertThat(call(admin, "EXISTS b")).isEqualTo(":0");
  }

  /** A run must neither take in what is denied, nor log it twice. */
  @Test
  void run_endsBeforeWhatIsDenied_whichIsLoggedOnce() {
    alice("+bf.add ~a");
    assertThat(alice.batch("BF.ADD a 1", "BF.ADD a 2", "BF.EXISTS a 1", "BF.ADD a 3"))
        .containsExactly(
            ":1",
            ":1",
            "-NOPERM User alice has no permissions to run the 'bf.exists' command",
            ":1");
    assertThat(call(admin, "ACL LOG")).contains("[\"count\" :1 \"reason\" \"command\"");
  }

  @Test
  void transaction_deniedAtQueueing_isDiscarded() {
    alice("+multi +exec +get ~a");
    assertThat(alice.batch("MULTI", "GET a", "GET b", "EXEC"))
        .containsExactly(
            "+OK",
            "+QUEUED",
            NO_KEY,
            "-EXECABORT Transaction discarded because of previous errors.");
    assertThat(call(admin, "ACL LOG"))
        .contains("\"reason\" \"key\" \"context\" \"multi\" \"object\" \"b\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-set|no permission to execute the command or subcommand",
        "resetkeys|no permission to touch the specified keys",
      })
  void transaction_rightTakenAwaySince_isDeniedByExec(String rule, String reason) {
    alice("+multi +exec +set +get ~a");
    alice.batch("MULTI", "SET a 1");
    call(admin, "ACL SETUSER alice " + rule);
    assertThat(call(alice, "EXEC"))
        .isEqualTo(
            "[-NOPERM ACLs rules changed between the moment the transaction was accumulated and the"
                + " EXEC call. This command is no longer allowed for the following reason: "
                + reason
                + "]");
    assertThat(call(admin, "GET a")).isEqualTo("nil");
  }

  @Test
  void transaction_execDenied_isOver() {
    alice("+multi");
    assertThat(alice.batch("MULTI", "EXEC"))
        .containsExactly(
            "+OK",
            "-EXECABORT Transaction discarded because of: NOPERM User alice has no permissions to"
                + " run the 'exec' command");
    assertThat(alice.session().transaction()).isNull();
  }

  @Test
  void clientList_andKill_knowTheUser() {
    alice("+ping");
    assertThat(call(admin, "CLIENT LIST")).contains("user=alice");
    assertThat(call(admin, "CLIENT KILL USER nosuch")).isEqualTo("-ERR No such user 'nosuch'");
    assertThat(call(admin, "CLIENT KILL USER alice")).isEqualTo(":1");
  }
}
