package io.porteiro.server.command.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.transaction.TransactionCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PubSubCommandsTest {
  private final CommandHarness server =
      CommandHarness.of(
          CommandHarness.testCommands(), PubSubCommands.commands(), TransactionCommands.commands());
  private final HarnessClient client = server.client();
  private final HarnessClient other = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  // ---- subscribing

  @Test
  void subscribe_confirmsEachChannelByItself() {
    assertThat(client.batch("subscribe a b a"))
        .containsExactly(
            "[\"subscribe\" \"a\" :1]", "[\"subscribe\" \"b\" :2]", "[\"subscribe\" \"a\" :2]");
  }

  @Test
  void subscribe_inResp3_confirmsByPushes() {
    assertThat(client.resp3().batch("psubscribe a* b", "ssubscribe c"))
        .containsExactly(
            ">[\"psubscribe\" \"a*\" :1]",
            ">[\"psubscribe\" \"b\" :2]",
            ">[\"ssubscribe\" \"c\" :1]");
  }

  @Test
  void subscriptions_toChannelsAndPatterns_countTogetherAndShardsByThemselves() {
    assertThat(client.batch("subscribe a", "ssubscribe s t", "psubscribe p", "unsubscribe a"))
        .containsExactly(
            "[\"subscribe\" \"a\" :1]",
            "[\"ssubscribe\" \"s\" :1]",
            "[\"ssubscribe\" \"t\" :2]",
            "[\"psubscribe\" \"p\" :2]",
            "[\"unsubscribe\" \"a\" :1]");
  }

  @Test
  void channelNames_areBytes() {
    assertThat(client.call("subscribe", "")).isEqualTo("[\"subscribe\" \"\" :1]");
    assertThat(client.call("subscribe", "\0\u00ff")).isEqualTo("[\"subscribe\" \"\\x00\\xff\" :2]");
    assertThat(other.call("publish", "\0\u00ff", "\r\n")).isEqualTo(":1");
    assertThat(client.unread()).containsExactly("[\"message\" \"\\x00\\xff\" \"\\r\\n\"]");
  }

  @Test
  void subscriber_inResp2_mayOnlySubscribeUntilTheLastSubscriptionEnds() {
    client.batch("subscribe a", "psubscribe p", "ssubscribe s");
    assertThat(client.call("get", "k")).startsWith("-ERR Can't execute 'get': only (P|S)SUBSCRIBE");
    client.batch("unsubscribe", "punsubscribe");
    assertThat(client.call("get", "k")).startsWith("-ERR Can't execute");
    client.batch("sunsubscribe");

    assertThat(client.call("get", "k")).isEqualTo("nil");
  }

  @Test
  void unsubscribe_withoutNames_confirmsEachSubscription() {
    client.batch("subscribe a b", "psubscribe p");

    assertThat(client.batch("unsubscribe", "punsubscribe"))
        .containsExactly(
            "[\"unsubscribe\" \"a\" :2]",
            "[\"unsubscribe\" \"b\" :1]",
            "[\"punsubscribe\" \"p\" :0]");
  }

  @Test
  void unsubscribe_withoutSubscriptions_confirmsNothingByItsName() {
    assertThat(client.batch("unsubscribe", "punsubscribe", "sunsubscribe"))
        .containsExactly(
            "[\"unsubscribe\" nil :0]", "[\"punsubscribe\" nil :0]", "[\"sunsubscribe\" nil :0]");
    assertThat(client.resp3().call("unsubscribe")).isEqualTo(">[\"unsubscribe\" _ :0]");
  }

  @Test
  void unsubscribe_fromWhatWasNeverSubscribed_isConfirmedAllTheSame() {
    client.call("subscribe", "a");

    assertThat(client.batch("unsubscribe x y"))
        .containsExactly("[\"unsubscribe\" \"x\" :1]", "[\"unsubscribe\" \"y\" :1]");
  }

  @Test
  void confirmations_comeAlsoWhereRepliesAreSilenced() {
    assertThat(client.batch("silence off", "subscribe a", "unsubscribe a", "ping"))
        .containsExactly("[\"subscribe\" \"a\" :1]", "[\"unsubscribe\" \"a\" :0]");
    assertThat(client.session().replyMode()).isEqualTo(Session.ReplyMode.OFF);
    assertThat(other.batch("silence skip", "unsubscribe", "ping"))
        .containsExactly("[\"unsubscribe\" nil :0]", "+PONG");
  }

  @Test
  void subscribe_insideMulti_isExecuted() {
    assertThat(client.batch("multi", "subscribe c", "psubscribe p", "exec"))
        .last()
        .isEqualTo("[[\"subscribe\" \"c\" :1] [\"psubscribe\" \"p\" :2]]");
  }

  @Test
  void shardSubscribe_insideMulti_isRefused() {
    assertThat(client.batch("multi", "ssubscribe c", "exec"))
        .last()
        .isEqualTo("[-ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client]");
  }

  @Test
  void subscribe_withoutNames_lacksArguments() {
    for (String command : new String[] {"subscribe", "psubscribe", "ssubscribe"}) {
      assertThat(client.call(command))
          .isEqualTo("-ERR wrong number of arguments for '" + command + "' command");
    }
  }

  // ---- publishing

  @Test
  void publish_reachesChannelsAndPatterns() {
    client.batch("subscribe news", "psubscribe n*");
    HarnessClient third = server.client().resp3();
    third.batch("subscribe news");

    assertThat(other.call("publish", "news", "hello")).isEqualTo(":3");
    assertThat(client.unread())
        .containsExactly(
            "[\"message\" \"news\" \"hello\"]", "[\"pmessage\" \"n*\" \"news\" \"hello\"]");
    assertThat(third.unread()).containsExactly(">[\"message\" \"news\" \"hello\"]");
  }

  @Test
  void publish_toNobody_answersZero() {
    client.call("subscribe", "a");

    assertThat(other.call("publish", "b", "x")).isEqualTo(":0");
    assertThat(other.call("spublish", "a", "x")).isEqualTo(":0");
    assertThat(client.unread()).isEmpty();
  }

  @Test
  void publish_toAShardChannel_reachesOnlyItsSubscribers() {
    client.batch("ssubscribe s");
    HarnessClient third = server.client();
    third.batch("subscribe s", "psubscribe *");

    assertThat(other.call("spublish", "s", "x")).isEqualTo(":1");
    assertThat(client.unread()).containsExactly("[\"smessage\" \"s\" \"x\"]");
    assertThat(third.unread()).isEmpty();
  }

  @Test
  void publish_toOneself_answersFirst() {
    client.resp3().call("subscribe", "c");

    assertThat(client.batch("publish c x")).containsExactly(":1", ">[\"message\" \"c\" \"x\"]");
  }

  @Test
  void publish_insideMulti_isExecutedInItsTurn() {
    client.call("subscribe", "c");

    assertThat(other.batch("multi", "publish c 1", "publish c 2", "exec"))
        .last()
        .isEqualTo("[:1 :1]");
    assertThat(client.unread())
        .containsExactly("[\"message\" \"c\" \"1\"]", "[\"message\" \"c\" \"2\"]");
  }

  @Test
  void publish_isHeldByAPauseOfWrites() {
    server.clients().pause(server.clock().millis() + 1000, true);

    assertThat(client.batch("publish c x")).isEmpty();
    assertThat(other.batch("spublish c x")).isEmpty();
    server.clients().unpause();
    assertThat(client.unread()).containsExactly(":0");
  }

  @Test
  void publish_isNotJournalled() {
    client.batch("publish c x", "spublish c x");

    assertThat(server.effects()).isEmpty();
  }

  @Test
  void disconnection_endsAllSubscriptions() {
    client.batch("subscribe a", "psubscribe a*", "ssubscribe a");
    client.close();

    assertThat(other.batch("publish a x", "spublish a x", "pubsub numpat"))
        .containsExactly(":0", ":0", ":0");
  }

  // ---- PUBSUB

  @Test
  void channels_areThoseWithSubscribersThatMatch() {
    client.batch("subscribe a ab b", "psubscribe a*", "ssubscribe s");

    assertThat(other.batch("pubsub channels", "pubsub channels a*", "PUBSUB Channels x"))
        .containsExactly("[\"a\" \"ab\" \"b\"]", "[\"a\" \"ab\"]", "[]");
    assertThat(other.batch("pubsub shardchannels", "pubsub shardchannels a*"))
        .containsExactly("[\"s\"]", "[]");
  }

  @Test
  void channels_withTooManyArguments_haveAnErrorOfTheirOwn() {
    assertThat(other.batch("pubsub channels a b", "pubsub SHARDCHANNELS a b"))
        .containsExactly(
            "-ERR unknown subcommand or wrong number of arguments for 'channels'. Try PUBSUB HELP.",
            "-ERR unknown subcommand or wrong number of arguments for 'SHARDCHANNELS'."
                + " Try PUBSUB HELP.");
  }

  @Test
  void numsub_tellsTheSubscribersOfEachChannel() {
    client.batch("subscribe a b");
    server.client().batch("subscribe a", "ssubscribe s");

    assertThat(other.batch("pubsub numsub", "pubsub numsub a b c", "pubsub shardnumsub s a"))
        .containsExactly("[]", "[\"a\" :2 \"b\" :1 \"c\" :0]", "[\"s\" :1 \"a\" :0]");
  }

  @Test
  void numpat_countsEachPatternOnce() {
    client.batch("psubscribe p* q*");
    server.client().batch("psubscribe p*");

    assertThat(other.call("pubsub", "numpat")).isEqualTo(":2");
    assertThat(other.call("pubsub", "numpat", "x"))
        .isEqualTo("-ERR wrong number of arguments for 'pubsub|numpat' command");
  }

  @Test
  void help_listsTheSubcommands() {
    assertThat(other.call("pubsub", "help"))
        .startsWith("[+PUBSUB <subcommand> [<arg> [value] [opt] ...]. Subcommands are: +CHANNELS")
        .contains("NUMPAT", "NUMSUB", "SHARDCHANNELS", "SHARDNUMSUB")
        .endsWith("+HELP +    Print this help.]");
    assertThat(other.call("pubsub", "nope"))
        .isEqualTo("-ERR unknown subcommand 'nope'. Try PUBSUB HELP.");
  }
}
