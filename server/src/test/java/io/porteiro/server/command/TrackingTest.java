package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.pubsub.PubSubCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who hears of which change, and when. */
class TrackingTest {
  private final CommandHarness server =
      CommandHarness.of(
          ConnectionCommands.commands(),
          StringCommands.commands(),
          KeyspaceCommands.commands(),
          TransactionCommands.commands(),
          PubSubCommands.commands(),
          HyperLogLogCommands.commands(),
          BloomCommands.commands());

  private final HarnessClient reader = server.client().resp3();
  private final HarnessClient writer = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  private static String invalidated(String... keys) {
    return ">[\"invalidate\" [\"" + String.join("\" \"", keys) + "\"]]";
  }

  private static final String EVERYTHING = ">[\"invalidate\" _]";

  private void track(HarnessClient client, Object... options) {
    Object[] words = new Object[3 + options.length];
    System.arraycopy(new Object[] {"CLIENT", "TRACKING", "ON"}, 0, words, 0, 3);
    System.arraycopy(options, 0, words, 3, options.length);
    assertThat(client.call(words)).isEqualTo("+OK");
  }

  // ---- default mode

  @Test
  void change_ofAKeyThatWasRead_isToldOnceUntilItIsReadAgain() {
    track(reader);
    reader.call("GET", "k");
    writer.batch("SET k 1", "SET k 2", "SET other 1");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
    reader.call("GET", "k");
    writer.call("DEL", "k");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
  }

  @Test
  void change_byTheReaderItself_isToldBehindItsReply() {
    track(reader);
    assertThat(reader.batch("GET k", "SET k 1", "PING"))
        .containsExactly("_", "+OK", invalidated("k"), "+PONG");
  }

  @Test
  void change_withNoLoop_isNotToldToItsMaker() {
    track(reader, "NOLOOP");
    assertThat(reader.batch("GET k", "SET k 1")).containsExactly("_", "+OK");
    reader.call("GET", "k");
    writer.call("SET", "k", "2");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
  }

  @Test
  void change_inATransaction_isToldBehindAllReplies() {
    track(reader);
    reader.call("MGET", "a", "b");
    assertThat(reader.batch("MULTI", "SET a 1", "GET b", "SET b 1", "EXEC", "PING"))
        .containsExactly(
            "+OK",
            "+QUEUED",
            "+QUEUED",
            "+QUEUED",
            "[+OK _ +OK]",
            invalidated("a"),
            invalidated("b"),
            "+PONG");
  }

  @Test
  void change_inAnotherDatabase_isTold() {
    track(reader);
    reader.call("GET", "k");
    writer.batch("SELECT 5", "SET k 1");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
  }

  @Test
  void change_byRenameAndCopy_isToldOfBothKeys() {
    track(reader);
    writer.call("SET", "a", "1");
    reader.call("MGET", "a", "b", "c");
    writer.call("RENAME", "a", "b");
    assertThat(reader.unread()).containsExactly(invalidated("a"), invalidated("b"));
    writer.call("COPY", "b", "c");
    assertThat(reader.unread()).containsExactly(invalidated("c"));
  }

  @Test
  void expiry_metByAnotherClient_isTold() {
    track(reader);
    writer.call("SET", "k", "1", "PX", "10");
    reader.call("GET", "k");
    server.clock().advance(11);
    writer.call("EXISTS", "k");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
  }

  /** NOLOOP is about what a client does; that time passes it does not know. */
  @Test
  void expiry_metByTheReaderItself_isToldEvenWithNoLoop() {
    track(reader, "NOLOOP");
    writer.call("SET", "k", "1", "PX", "10");
    reader.call("GET", "k");
    server.clock().advance(11);
    assertThat(reader.batch("GET k", "PING")).containsExactly("_", invalidated("k"), "+PONG");
  }

  @Test
  void expiry_inTheBackground_isTold() {
    track(reader, "BCAST", "PREFIX", "k");
    HarnessClient other = server.client().resp3();
    track(other);
    writer.call("SET", "k1", "1", "PX", "10");
    other.call("GET", "k1");
    reader.unread();
    server.clock().advance(11);
    new ExpiryTask(server.services()).run();
    assertThat(other.unread()).containsExactly(invalidated("k1"));
    assertThat(reader.unread()).containsExactly(invalidated("k1"));
  }

  @Test
  void flush_ofAnyDatabase_tellsEveryTrackedClientToForgetAll() {
    track(reader);
    HarnessClient broadcast = server.client().resp3();
    track(broadcast, "BCAST", "PREFIX", "x", "NOLOOP");
    reader.call("GET", "k");
    writer.batch("SELECT 3", "FLUSHDB");
    assertThat(reader.unread()).containsExactly(EVERYTHING);
    assertThat(broadcast.unread()).containsExactly(EVERYTHING);
    assertThat(server.services().tracking().keys()).isZero();
    assertThat(reader.batch("FLUSHDB", "PING")).containsExactly("+OK", EVERYTHING, "+PONG");
    writer.call("SWAPDB", "0", "1");
    assertThat(reader.unread()).containsExactly(EVERYTHING);
  }

  @Test
  void probes_underTheReadLock_registerTheirKey() {
    track(reader);
    writer.batch("BF.ADD b x", "PFADD h x");
    reader.batch("BF.EXISTS b x", "BF.EXISTS b y", "BF.MEXISTS b x y", "PFCOUNT h", "PFCOUNT h");
    writer.batch("BF.ADD b x", "PFADD h x");
    assertThat(reader.unread()).isEmpty();
    writer.batch("BF.ADD b y", "PFADD h y");
    assertThat(reader.unread()).containsExactly(invalidated("b"), invalidated("h"));
  }

  /** Refused reads are remembered, too: the answer may be another one later. */
  @Test
  void read_ofTheWrongType_isRemembered() {
    track(reader);
    writer.call("BF.ADD", "k", "x");
    assertThat(reader.call("GET", "k")).startsWith("-WRONGTYPE");
    writer.call("DEL", "k");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
  }

  @Test
  void writes_thatAlsoRead_areNotRemembered() {
    writer.call("SET", "k", "1");
    track(reader);
    reader.batch("GETSET k 2", "GETEX k", "INCR k", "SET k 4 GET");
    writer.call("SET", "k", "5");
    assertThat(reader.unread()).isEmpty();
  }

  @Test
  void message_whileRepliesAreOff_isSentAllTheSame() {
    track(reader);
    reader.batch("GET k", "CLIENT REPLY OFF");
    reader.send("SET", "k", "1");
    assertThat(reader.unread()).containsExactly(invalidated("k"));
    assertThat(reader.batch("PING")).isEmpty();
  }

  @Test
  void message_inResp2_isNotSent() {
    HarnessClient old = server.client();
    track(old);
    old.call("GET", "k");
    writer.call("SET", "k", "1");
    assertThat(old.unread()).isEmpty();
  }

  // ---- OPTIN, OPTOUT

  @Test
  void optIn_readsAfterCachingYes_areRemembered() {
    track(reader, "OPTIN");
    reader.batch("GET a", "CLIENT CACHING YES", "CLIENT GETNAME", "GET b", "GET c");
    writer.batch("MSET a 1 b 1 c 1");
    assertThat(reader.unread()).containsExactly(invalidated("b"));
  }

  @Test
  void optIn_cachingBeforeMulti_holdsForTheTransaction() {
    track(reader, "OPTIN");
    reader.batch("CLIENT CACHING YES", "MULTI", "GET a", "GET b", "EXEC", "GET c");
    writer.batch("MSET a 1 b 1 c 1");
    assertThat(reader.unread()).containsExactly(invalidated("a"), invalidated("b"));
  }

  @Test
  void optIn_cachingBeforeARefusedCommand_isUsedUp() {
    track(reader, "OPTIN");
    reader.batch("CLIENT CACHING YES", "NOSUCH", "GET a");
    reader.batch("CLIENT CACHING YES", "GET", "GET b");
    writer.batch("MSET a 1 b 1");
    assertThat(reader.unread()).isEmpty();
  }

  /** A run of probes is several commands: only the first of them is spared. */
  @Test
  void optOut_cachingNo_holdsForTheFirstOfARun() {
    track(reader, "OPTOUT");
    reader.batch("CLIENT CACHING NO", "BF.EXISTS b x");
    writer.call("BF.ADD", "b", "x");
    assertThat(reader.unread()).isEmpty();
    reader.batch("CLIENT CACHING NO", "BF.EXISTS b x", "BF.EXISTS b y");
    writer.call("BF.ADD", "b", "y");
    assertThat(reader.unread()).containsExactly(invalidated("b"));
  }

  // ---- broadcasting

  @Test
  void broadcast_ofOneBatch_isOneMessageAPrefixInOrder() {
    track(reader, "BCAST", "PREFIX", "foo", "PREFIX", "bar");
    writer.batch("SET foo2 1", "MSET foo1 1 z 1 bar 2", "SET foo2 2");
    assertThat(reader.unread()).containsExactly(invalidated("bar"), invalidated("foo1", "foo2"));
    assertThat(server.services().tracking().keys()).isZero();
    assertThat(server.services().tracking().prefixes()).isEqualTo(2);
  }

  @Test
  void broadcast_withNoLoop_leavesOutOwnChangesButNotExpiries() {
    track(reader, "BCAST", "NOLOOP");
    reader.call("SET", "k", "1", "PX", "10");
    server.clock().advance(11);
    assertThat(reader.batch("SET a 1", "GET k")).containsExactly("+OK", "_", invalidated("k"));
  }

  // ---- redirection

  @Test
  void redirect_toASubscriberInResp2_isAMessage() {
    HarnessClient receiver = server.client();
    HarnessClient old = server.client();
    track(old, "REDIRECT", receiver.session().id());
    old.call("GET", "k");
    writer.call("SET", "k", "1");
    assertThat(receiver.unread()).isEmpty();
    receiver.batch("SUBSCRIBE __redis__:invalidate");
    old.call("GET", "k");
    writer.call("SET", "k", "2");
    assertThat(receiver.unread()).containsExactly("[\"message\" \"__redis__:invalidate\" [\"k\"]]");
    writer.call("FLUSHALL");
    assertThat(receiver.unread()).containsExactly("[\"message\" \"__redis__:invalidate\" nil]");
    assertThat(old.unread()).isEmpty();
  }

  @Test
  void redirect_toAClientThatIsGone_isBroken() {
    HarnessClient receiver = server.client();
    track(reader, "REDIRECT", receiver.session().id());
    reader.call("GET", "k");
    receiver.close();
    writer.call("SET", "k", "1");
    assertThat(reader.unread())
        .containsExactly(">[\"tracking-redir-broken\" :" + receiver.session().id() + "]");
    assertThat(reader.call("CLIENT", "TRACKINGINFO")).contains("\"broken_redirect\"");
    assertThat(writer.call("CLIENT", "LIST")).contains(" flags=tR ");
    track(reader);
    assertThat(reader.call("CLIENT", "TRACKINGINFO")).doesNotContain("broken_redirect");
  }

  // ---- limits

  @Test
  void keys_beyondTheLimit_areTakenOutWithAMessage() throws ConfigException {
    server.configure("tracking-table-max-keys", "10");
    track(reader);
    HarnessClient other = server.client().resp3();
    track(other);
    for (int i = 0; i < 10; i++) {
      other.call("GET", "old" + i);
    }
    for (int i = 0; i < 5; i++) {
      reader.call("GET", "new" + i);
    }
    assertThat(server.services().tracking().keys()).isEqualTo(10);
    assertThat(reader.unread().size() + other.unread().size()).isEqualTo(5);
    server.configure("tracking-table-max-keys", "3");
    server.services().tracking().trim();
    assertThat(server.services().tracking().keys()).isEqualTo(3);
    assertThat(reader.unread().size() + other.unread().size()).isEqualTo(7);
  }

  /** A client that keeps what could not be remembered would keep it for ever. */
  @Test
  void reads_withoutRoom_areToldAtOnce() {
    track(reader);
    server.keyspace().setHeapLimitBytes(server.keyspace().heapBytes() + 50);
    assertThat(reader.batch("GET k", "PING")).containsExactly("_", invalidated("k"), "+PONG");
    assertThat(server.services().tracking().keys()).isZero();
    assertThat(server.services().tracking().items()).isZero();
  }

  @Test
  void prefixes_withoutRoom_areRefusedAndChangeNothing() {
    track(reader, "BCAST", "PREFIX", "a");
    server.keyspace().setHeapLimitBytes(server.keyspace().heapBytes() + 300);
    assertThat(reader.call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "b", "PREFIX", "c"))
        .startsWith("-OOM");
    writer.batch("MSET a 1 b 1 c 1");
    server.keyspace().setHeapLimitBytes(Long.MAX_VALUE);
    writer.batch("MSET a 2 b 2 c 2");
    assertThat(reader.unread()).containsExactly(invalidated("a"));
    track(reader, "BCAST", "PREFIX", "b");
    track(reader, "BCAST");
    track(reader, "BCAST");
    assertThat(reader.call("CLIENT", "TRACKINGINFO")).contains("[\"\" \"a\" \"b\"]");
    reader.call("CLIENT", "TRACKING", "OFF");
    assertThat(server.services().tracking().prefixes()).isZero();
  }

  @Test
  void memory_afterTheLastTrackedClient_isGivenBack() {
    long before = server.keyspace().heapBytes();
    HarnessClient other = server.client().resp3();
    track(reader);
    track(other);
    for (int i = 0; i < 100; i++) {
      reader.call("GET", "k" + i);
      other.call("GET", "k" + i % 50);
    }
    assertThat(server.services().tracking().items()).isEqualTo(150);
    assertThat(server.keyspace().heapBytes()).isGreaterThan(before + 100 * 150);
    writer.call("SET", "k1", "1");
    assertThat(server.services().tracking().items()).isEqualTo(148);
    writer.call("DEL", "k1");
    reader.close();
    other.close();
    assertThat(server.services().tracking().items()).isZero();
    assertThat(server.keyspace().heapBytes()).isEqualTo(before);
  }

  // ---- the end

  @Test
  void off_endsMessages_andResetDoesToo() {
    track(reader);
    reader.batch("GET k", "CLIENT TRACKING OFF");
    writer.call("SET", "k", "1");
    assertThat(reader.unread()).isEmpty();
    track(reader, "BCAST");
    reader.call("RESET");
    reader.resp3();
    writer.call("SET", "k", "2");
    assertThat(reader.unread()).isEmpty();
    assertThat(server.services().tracking().clients()).isZero();
    assertThat(server.services().tracking().prefixes()).isZero();
  }
}
