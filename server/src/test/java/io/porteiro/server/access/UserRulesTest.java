package io.porteiro.server.access;

import static io.porteiro.server.access.TestCatalog.CONFIG;
import static io.porteiro.server.access.TestCatalog.CONFIG_GET;
import static io.porteiro.server.access.TestCatalog.CONFIG_SET;
import static io.porteiro.server.access.TestCatalog.GET;
import static io.porteiro.server.access.TestCatalog.SELECT;
import static io.porteiro.server.access.TestCatalog.SET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserRulesTest {
  private static final String NEW = "off sanitize-payload resetchannels -@all";

  private static Rights rights(String... rules) throws RuleException {
    UserRules user = new UserRules(TestCatalog.catalog(), false);
    for (String rule : rules) {
      user.apply(rule);
    }
    return user.build();
  }

  private static Selector root(String... rules) throws RuleException {
    return rights(rules).selectors().getFirst();
  }

  /** Which of the catalog's commands are allowed. */
  private static List<Integer> allowed(Selector selector) {
    List<Integer> allowed = new ArrayList<>();
    for (int id = GET; id <= CONFIG_SET; id++) {
      if (selector.allowsCommand(id)) {
        allowed.add(id);
      }
    }
    return allowed;
  }

  // ---- what the rules become

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "''|off sanitize-payload resetchannels -@all",
        "on nopass allkeys allchannels allcommands|on nopass sanitize-payload ~* &* +@all",
        "ON NoPass ~* &* +@ALL|on nopass sanitize-payload ~* &* +@all",
        "on off skip-sanitize-payload|off skip-sanitize-payload resetchannels -@all",
        "%R~a %W~b %rw~c %WR~d ~e|off sanitize-payload %R~a %W~b ~c ~d ~e resetchannels -@all",
        "%R~a %W~a|off sanitize-payload ~a resetchannels -@all",
        "~a ~a ~b resetkeys ~c|off sanitize-payload ~c resetchannels -@all",
        "%RW~*|off sanitize-payload ~* resetchannels -@all",
        "%W~* ~a %R~* ~b|off sanitize-payload ~* resetchannels -@all",
        "%R~*|off sanitize-payload %R~* resetchannels -@all",
        "&b &a &b|off sanitize-payload resetchannels &b &a -@all",
        "+get +set -get|off sanitize-payload resetchannels -@all +set -get",
        "+@all -config +config:get|off sanitize-payload resetchannels +@all -config +config:get",
        "+config:get +config|off sanitize-payload resetchannels -@all +config",
        "+config:get -CONFIG|off sanitize-payload resetchannels -@all -config",
        "+lpush -eval +cluster:INFO +eval:x|off sanitize-payload resetchannels -@all +lpush -eval"
            + " +cluster:info +eval:x",
        "+config:rewrite|off sanitize-payload resetchannels -@all +config:rewrite",
        "+@read +@READ -@write|off sanitize-payload resetchannels -@all +@read -@write",
        "+get +@read +@all|off sanitize-payload resetchannels +@all",
        "+@all nocommands|off sanitize-payload resetchannels -@all",
        "+select:0 +SELECT:1|off sanitize-payload resetchannels -@all +select:0 +select:1",
        "(+get,~a) (&c)|off sanitize-payload resetchannels -@all (~a resetchannels -@all +get)"
            + " (resetchannels &c -@all)",
        "(+get) clearselectors|off sanitize-payload resetchannels -@all",
        "on nopass ~* &* +@all (+get) reset|off sanitize-payload resetchannels -@all",
      })
  void rules_becomeTheirCanonicalForm(String rules, String canonical) throws RuleException {
    String[] words = rules.equals("''") ? new String[0] : rules.replace(':', '|').split(" ", -1);
    Arrays.setAll(words, i -> words[i].replace(',', ' '));
    assertThat(rights(words)).hasToString(canonical.replace(':', '|'));
  }

  /** The text is what files keep: it must make the same rights again. */
  @Test
  void canonicalForm_appliedToANewUser_makesTheSame() throws Exception {
    Rights rights =
        rights(
            "on", ">x", ">y", "%R~a", "~b*", "&c", "+@all", "-config", "+config|get", "(+get ~a)");
    List<String> words = RuleText.mergeSelectors(RuleText.words(rights.toString()));
    assertThat(rights(words.toArray(String[]::new))).hasToString(rights.toString());
  }

  @Test
  void allChannelsByDefault_newUsersAndSelectorsAndReset_mayUseAll() throws RuleException {
    UserRules user = new UserRules(TestCatalog.catalog(), true);
    user.apply("(+get)");
    assertThat(user.build()).hasToString("off sanitize-payload &* -@all (&* -@all +get)");
    user.apply("resetchannels");
    user.apply("reset");
    assertThat(user.build()).hasToString("off sanitize-payload &* -@all");
  }

  // ---- what is no rule

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      quoteCharacter = '\'',
      value = {
        "foo SYNTAX",
        "+foo UNKNOWN_COMMAND",
        "-foo UNKNOWN_COMMAND",
        "+ UNKNOWN_COMMAND",
        "+@foo UNKNOWN_COMMAND",
        "+@ UNKNOWN_COMMAND",
        "+config|foo UNKNOWN_COMMAND",
        "+config| SYNTAX",
        "+foo|bar UNKNOWN_COMMAND",
        "+cluster|foo UNKNOWN_COMMAND",
        "+cluster| SYNTAX",
        "+config|get|x FIRST_ARGUMENT_OF_SUBCOMMAND",
        "-config|get|x UNKNOWN_COMMAND",
        "-get|x UNKNOWN_COMMAND",
        "'~a b' SYNTAX",
        "'&a\tb' SYNTAX",
        "%~a SYNTAX",
        "% SYNTAX",
        "%RR~a SYNTAX",
        "%X~a SYNTAX",
        "<x NO_SUCH_PASSWORD",
        "#abc BAD_HASH",
        "#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA BAD_HASH",
        "!abc BAD_HASH",
        "!aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa NO_SUCH_PASSWORD",
        ") SYNTAX",
        "(on) SYNTAX",
        "'(+get' SYNTAX",
        "(+foo) UNKNOWN_COMMAND",
        "((+get)) SYNTAX",
      })
  void rule_thatIsNone_isRefusedAndTold(String rule, RuleError error) {
    assertThatThrownBy(() -> rights(rule))
        .isInstanceOfSatisfying(
            RuleException.class,
            e -> {
              assertThat(e.error()).isEqualTo(error);
              assertThat(e.rule()).isEqualTo(rule);
            });
  }

  @Test
  void patterns_afterAll_areRefused() {
    assertThatThrownBy(() -> rights("~*", "%R~a")).hasMessage(RuleError.KEYS_AFTER_ALL.text());
    assertThatThrownBy(() -> rights("&*", "&a")).hasMessage(RuleError.CHANNELS_AFTER_ALL.text());
  }

  @Test
  void emptyRule_doesNothing() throws RuleException {
    assertThat(rights("")).hasToString(NEW);
  }

  // ---- commands

  @Test
  void container_bringsItsSubcommands() throws RuleException {
    assertThat(allowed(root("+config"))).containsExactly(CONFIG, CONFIG_GET, CONFIG_SET);
    assertThat(allowed(root("+config", "-config|set"))).containsExactly(CONFIG, CONFIG_GET);
    assertThat(allowed(root("+config|set"))).containsExactly(CONFIG_SET);
  }

  /** As in Redis: {@code +@slow} gives CONFIG SET, because CONFIG is slow. */
  @Test
  void category_ofAContainer_bringsSubcommandsOfOtherCategories() throws RuleException {
    assertThat(allowed(root("+@slow"))).containsExactly(SET, CONFIG, CONFIG_GET, CONFIG_SET);
    assertThat(allowed(root("+@slow", "-@dangerous"))).containsExactly(SET, CONFIG, CONFIG_GET);
    assertThat(allowed(root("+@all", "-@string"))).doesNotContain(GET, SET).contains(SELECT);
  }

  @Test
  void firstArgument_isAllowedUntilTheCommandIsNamed() throws RuleException {
    Selector selector = root("+select|A");
    assertThat(selector.allowsCommand(SELECT)).isFalse();
    assertThat(selector.allowsFirstArgument(SELECT, "a")).isTrue();
    assertThat(selector.allowsFirstArgument(SELECT, "b")).isFalse();
    assertThat(root("+select|a", "-select").hasFirstArguments(SELECT)).isFalse();
    assertThat(root("+select|a", "-@fast").hasFirstArguments(SELECT)).isFalse();
    assertThat(root("+select|a", "-@all").hasFirstArguments(SELECT)).isFalse();
  }

  @Test
  void unrestricted_isWhoseRootAllowsAll() throws RuleException {
    assertThat(rights("~*", "&*", "+@all").isUnrestricted()).isTrue();
    assertThat(rights("~*", "&*", "+@all", "-get").isUnrestricted()).isFalse();
    assertThat(rights("~*", "&*", "+@all", "-get", "+get").isUnrestricted()).isTrue();
    assertThat(rights("~*", "&*", "+get", "+set", "+select", "+config").isUnrestricted()).isTrue();
    assertThat(rights("%R~*", "&*", "+@all").isUnrestricted()).isFalse();
    assertThat(rights("~*", "+@all").isUnrestricted()).isFalse();
    assertThat(rights("(~* &* +@all)").isUnrestricted()).isFalse();
  }

  /** Users taken over from a Redis name its other commands, too; that gives and takes nothing. */
  @Test
  void commandOfRedisThatIsNotHere_changesNothing() throws RuleException {
    assertThat(allowed(root("+get", "+eval", "-lpush", "+cluster|info", "+config|rewrite")))
        .containsExactly(GET);
    assertThat(rights("~*", "&*", "+@all", "-eval").isUnrestricted()).isTrue();
  }

  // ---- keys and channels

  private static boolean allowsKey(Selector selector, String key, boolean read, boolean write) {
    byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
    try (MemoryPool pool = new MemoryPool(1 << 20)) {
      Block block = pool.allocateUnlimited(1 + bytes.length);
      OffHeap.copyFrom(bytes, 0, block.address(), bytes.length);
      boolean allowed = selector.allowsKey(block.address(), bytes.length, read, write);
      block.release();
      return allowed;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "%R~a*,ab,true,false,true",
    "%R~a*,ab,false,true,false",
    "%R~a*,ab,true,true,false",
    "%R~a*,ab,false,false,true",
    "%R~a*,b,false,false,false",
    "%W~a*,ab,false,true,true",
    "%W~a*,ab,true,false,false",
    "~a*,ab,true,true,true",
    "~a*,b,true,false,false",
    "allkeys,b,true,true,true",
    "resetkeys,b,false,false,false",
    "~,b,true,false,false",
  })
  void keyPattern_givesItsRights(
      String rule, String key, boolean read, boolean write, boolean allowed) throws RuleException {
    assertThat(allowsKey(root(rule), key, read, write)).isEqualTo(allowed);
  }

  /** Redis looks for one pattern that gives both. */
  @Test
  void keyPatterns_twoThatGiveHalfEach_doNotGiveBoth() throws RuleException {
    Selector selector = root("%R~a*", "%W~*b");
    assertThat(allowsKey(selector, "ab", true, false)).isTrue();
    assertThat(allowsKey(selector, "ab", false, true)).isTrue();
    assertThat(allowsKey(selector, "ab", true, true)).isFalse();
  }

  @Test
  void channels_matchAndPatternsAreLiteral() throws RuleException {
    Rights rights = rights("&news.*", "(&x)");
    assertThat(rights.permitsChannel("news.a")).isTrue();
    assertThat(rights.permitsChannel("x")).isTrue();
    assertThat(rights.permitsChannel("y")).isFalse();
    assertThat(rights.permitsChannelPattern("news.*")).isTrue();
    assertThat(rights.permitsChannelPattern("news.a")).isFalse();
    assertThat(rights("&*").permitsChannelPattern("anything*")).isTrue();
  }

  @Test
  void channelRights_ofAnother_areComparedAsTexts() throws RuleException {
    assertThat(rights("&a", "&b").hasChannelsOf(rights("&a"))).isTrue();
    assertThat(rights("&a*").hasChannelsOf(rights("&ab"))).isFalse();
    assertThat(rights("&*").hasChannelsOf(rights("&ab", "(&*)"))).isTrue();
    assertThat(rights("&a").hasChannelsOf(rights("&*"))).isFalse();
    assertThat(rights("&a").hasChannelsOf(rights("resetchannels"))).isTrue();
  }

  // ---- passwords

  private static boolean admits(Rights rights, String password) {
    return rights.admits(PasswordHash.of(password.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Test
  void passwords_severalAreRightUntilRemoved() throws RuleException {
    assertThat(admits(rights("on", ">a", ">b"), "a")).isTrue();
    assertThat(admits(rights("on", ">a", ">b"), "b")).isTrue();
    assertThat(admits(rights("on", ">a", ">b", "<a"), "a")).isFalse();
    assertThat(admits(rights("on", ">a", "resetpass"), "a")).isFalse();
    assertThat(admits(rights("off", ">a"), "a")).isFalse();
    assertThat(admits(rights("on"), "")).isFalse();
  }

  @Test
  void nopass_admitsAnyPassword_untilThereIsOne() throws RuleException {
    assertThat(admits(rights("on", ">a", "nopass"), "x")).isTrue();
    assertThat(admits(rights("on", "nopass", ">a"), "x")).isFalse();
    assertThat(rights("on", "nopass").isOpen()).isTrue();
    assertThat(rights("off", "nopass").isOpen()).isFalse();
  }

  /** The hash of "abc" from FIPS 180-2, appendix B.1. */
  @Test
  void passwords_areKeptAsSha256() throws RuleException {
    String hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assertThat(rights(">abc").passwordHashes()).containsExactly(hash);
    assertThat(admits(rights("on", "#" + hash), "abc")).isTrue();
    assertThat(rights(">abc", "!" + hash).passwordHashes()).isEmpty();
  }
}
