package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.command.transaction.TransactionCommands;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommandDispatcherTest {
  private final TestCommands commands = new TestCommands();
  private final CommandHarness server =
      CommandHarness.of(commands.commands(), TransactionCommands.commands());
  private final HarnessClient client = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  private int id(String command) {
    return java.util.Objects.requireNonNull(server.services().table().find(command)).id();
  }

  // ---- single commands

  @Test
  void batch_ofDifferentCommands_isAnsweredInOrder() {
    assertThat(client.batch("set k v", "get k", "nosuch", "echo x", "get k x", "get missing"))
        .containsExactly(
            "+OK",
            "\"v\"",
            "-ERR unknown command 'nosuch', with args beginning with: ",
            "\"x\"",
            "-ERR wrong number of arguments for 'get' command",
            "nil");
  }

  @Test
  void subcommand_inAnyCase_isFoundInItsContainer() {
    assertThat(client.call("BoX", "oPeN", "x")).isEqualTo("\"x\"");
    assertThat(client.call("crate")).isEqualTo("+CRATE");
    assertThat(client.call("crate", "COUNT")).isEqualTo(":7");
  }

  @Test
  void subcommand_unknown_isRefusedAlsoWhereTheContainerIsACommand() {
    assertThat(client.call("box", "Shut"))
        .isEqualTo("-ERR unknown subcommand 'Shut'. Try BOX HELP.");
    assertThat(client.call("crate", "x")).isEqualTo("-ERR unknown subcommand 'x'. Try CRATE HELP.");
  }

  @Test
  void container_alone_lacksArguments() {
    assertThat(client.call("box")).isEqualTo("-ERR wrong number of arguments for 'box' command");
    assertThat(client.call("box", "open"))
        .isEqualTo("-ERR wrong number of arguments for 'box|open' command");
  }

  @Test
  void unknownCommand_toldBack_isCutAt128BytesAndAtZero() {
    assertThat(client.call("x".repeat(200), "a"))
        .isEqualTo(
            "-ERR unknown command '" + "x".repeat(128) + "', with args beginning with: 'a' ");
    assertThat(client.call("nope", "a".repeat(100), "b".repeat(100), "c"))
        .isEqualTo(
            "-ERR unknown command 'nope', with args beginning with: '"
                + "a".repeat(100)
                + "' '"
                + "b".repeat(128 - 103)
                + "' ");
    assertThat(client.call("no\0pe", "\r\n")).startsWith("-ERR unknown command 'no', with args");
  }

  @Test
  void scriptingCommand_sent_isNotCalledUnknown() {
    assertThat(client.call("EvalSha", "0123", "0"))
        .isEqualTo("-ERR This instance has no scripting support, which 'EvalSha' needs");
    assertThat(client.call("fcall_ro", "f", "0")).contains("no scripting support");
    assertThat(client.call("evaluate", "1")).startsWith("-ERR unknown command 'evaluate'");
  }

  @Test
  void changedKey_withoutEffectOfItsOwn_isJournalledAsItCame() {
    client.call("SET", "k", "v");
    client.call("select", 3);
    client.call("expire", "k", 100);
    client.call("set", "k", "w");
    client.call("expire", "k", 100);

    assertThat(server.effects())
        .containsExactly(
            "0: set k v", "3: set k w", "3: PEXPIREAT k " + (ManualClock.START_MS + 100));
  }

  /**
   * Without this a log would lack what the keyspace has, and nobody would notice until a restart.
   */
  @Test
  void commandThatFailsAfterItsChange_isJournalledAllTheSame() {
    client.call("set", "k", "v");

    assertThat(client.call("changeandfail", "k")).isEqualTo("-ERR too late");
    client.batch("multi", "changeandfail k", "exec");
    assertThat(server.effects())
        .containsExactly("0: set k v", "0: changeandfail k", "0: changeandfail k");
  }

  @Test
  void commandThatChangesNothing_isNotJournalled() {
    client.batch("get k", "del k", "has k x", "walk", "add k x", "add k x", "echo x");

    assertThat(server.effects()).containsExactly("0: add k x");
  }

  @Test
  void changes_withoutJournal_leaveNoEffects() {
    server.journal().setActive(false);
    client.batch("set k v", "expire k 100", "del k");
    server.journal().setActive(true);
    client.call("set", "x", "y");

    assertThat(server.effects()).containsExactly("0: set x y");
  }

  @Test
  void journalPosition_ofASession_isTheHighestOfTheShardsItSaw() {
    HarnessClient reader = server.client();
    client.call("set", "k", "v");
    assertThat(client.session().journalPosition()).isEqualTo(1);
    client.call("set", "k", "w");

    reader.call("get", "other than k");
    assertThat(reader.session().journalPosition()).isZero();
    reader.call("get", "k");
    assertThat(reader.session().journalPosition()).isEqualTo(2);
  }

  @Test
  void journalPosition_afterAWalk_coversEveryShardItSaw() {
    HarnessClient reader = server.client();
    client.call("set", "k", "v");
    reader.call("walk");

    assertThat(reader.session().journalPosition()).isEqualTo(1);
  }

  @Test
  void journalPosition_ofADuplicate_isThatOfTheAdd() {
    HarnessClient other = server.client();
    client.call("add", "k", "x");
    other.call("add", "k", "x");

    assertThat(other.session().journalPosition()).isEqualTo(1);
  }

  @Test
  void expiredKey_metByAReader_isRemovedBeforeTheReply() {
    client.batch("set k v", "expire k 10");
    server.effects();
    server.clock().advance(11);

    assertThat(client.call("get", "k")).isEqualTo("nil");
    assertThat(server.keyspace().size(0)).isZero();
    assertThat(server.effects()).containsExactly("0: DEL k");
  }

  @Test
  void expiredKey_metByAWriter_isRemovedInTheSameUnit() {
    client.batch("set k v", "expire k 10");
    server.effects();
    server.clock().advance(11);
    client.call("set", "k", "w");

    assertThat(server.effects()).containsExactly("0: DEL k; 0: set k w");
  }

  @Test
  void key_inTheMillisecondOfItsExpiry_isStillThere() {
    client.batch("set k v", "expire k 10");
    server.clock().advance(10);
    assertThat(client.call("get", "k")).isEqualTo("\"v\"");
    server.clock().advance(1);
    assertThat(client.call("get", "k")).isEqualTo("nil");
  }

  @Test
  void fault_beforeTheChange_isAnsweredAndLeavesNoHalfReply() {
    client.call("set", "k", "v");

    assertThat(client.call("break", "k")).isEqualTo("-ERR internal error");
    assertThat(client.call("get", "k")).isEqualTo("\"v\"");
    assertThat(server.lifecycle().take()).isEmpty();
  }

  @Test
  void error_inTheMiddleOfAReply_takesItsPlace() {
    assertThat(client.batch("echo a", "halfreply", "multi", "halfreply", "echo b", "exec"))
        .containsExactly(
            "\"a\"", "-ERR no second", "+OK", "+QUEUED", "+QUEUED", "[-ERR no second \"b\"]");
  }

  @Test
  void fault_inTheMiddleOfAChange_endsTheProcess() {
    client.call("set", "k", "v");

    assertThatThrownBy(() -> client.call("breakhalf", "k"))
        .isInstanceOf(FakeLifecycle.Halted.class)
        .hasMessage("'breakhalf' failed in the middle of a change");
  }

  @Test
  void lackOfMemory_whileApplying_isAnsweredAndChangesNothing() throws Exception {
    client.call("set", "k", "v");
    server.configure("maxmemory", String.valueOf(server.pool().usedBytes() + 1000));

    assertThat(client.call("set", "k", "x".repeat(5000)))
        .isEqualTo("-OOM command not allowed when used memory > 'maxmemory'.");
    assertThat(client.call("get", "k")).isEqualTo("\"v\"");
    assertThat(client.call("set", "k", "w")).isEqualTo("+OK");
  }

  @Test
  void heapFull_ofKeys_refusesOnlyNewOnes() {
    client.call("set", "k", "v");
    server.keyspace().setHeapLimitBytes(server.keyspace().heapBytes() + 10);
    long used = server.pool().usedBytes();

    assertThat(client.call("set", "other", "v")).startsWith("-OOM ");
    assertThat(client.call("set", "k", "w")).isEqualTo("+OK");
    assertThat(server.pool().usedBytes()).isEqualTo(used);
  }

  // ---- answering later, pausing, closing

  @Test
  void answeringLater_holdsTheRestOfTheBatchBack() {
    assertThat(client.batch("echo a", "later", "echo b", "echo c")).containsExactly("\"a\"");
    assertThat(client.session().isWaiting()).isTrue();

    commands.deferred.getFirst().complete(reply -> reply.simpleString("NOW"));

    assertThat(client.unread()).containsExactly("+NOW", "\"b\"", "\"c\"");
  }

  @Test
  void answeringLater_insideExec_isRefused() {
    assertThat(client.batch("multi", "later", "exec"))
        .containsExactly("+OK", "+QUEUED", "[-ERR 'later' is not allowed inside a transaction]");
  }

  @Test
  void pause_ofAll_holdsEverythingAlsoTransactionsControl() {
    server.clients().pause(server.clock().millis() + 1000, false);

    assertThat(client.batch("multi")).isEmpty();
    assertThat(client.isHeld()).isTrue();
    server.clients().unpause();
    assertThat(client.unread()).containsExactly("+OK");
  }

  @Test
  void pause_ofWrites_holdsTheFirstWriteAndAllBehindIt() {
    server.clients().pause(server.clock().millis() + 1000, true);

    assertThat(client.batch("get k", "set k v", "get k")).containsExactly("nil");
    server.clients().unpause();
    assertThat(client.unread()).containsExactly("+OK", "\"v\"");
  }

  @Test
  void pause_ofWrites_holdsExecThatWrites() {
    client.batch("multi", "get k");
    HarnessClient writer = server.client();
    writer.batch("multi", "set k v");
    server.clients().pause(server.clock().millis() + 1000, true);

    assertThat(client.call("exec")).isEqualTo("[nil]");
    assertThat(writer.batch("exec")).isEmpty();
    assertThat(server.clients().held()).isEqualTo(1);
    server.clients().unpause();
    assertThat(writer.unread()).containsExactly("[+OK]");
  }

  @Test
  void pause_thatHasPassed_holdsNothing() {
    server.clients().pause(server.clock().millis() + 1000, false);
    server.clock().advance(1000);

    assertThat(client.call("ping")).isEqualTo("+PONG");
  }

  @Test
  void closingCommand_dropsTheRestOfTheBatch() {
    assertThat(client.batch("set k v", "quit", "del k")).containsExactly("+OK", "+OK");
    assertThat(client.isClosed()).isTrue();
    assertThat(server.client().call("get", "k")).isEqualTo("\"v\"");
  }

  @Test
  void silence_forOneCommand_endsBehindIt() {
    assertThat(client.batch("silence skip", "echo a", "echo b")).containsExactly("\"b\"");
    client.batch("silence skip", "echo a");
    assertThat(client.session().isSilenced()).isFalse();
    assertThat(client.batch("silence skip", "nosuch", "add k x", "add k y"))
        .containsExactly(":1", ":1");
  }

  @Test
  void silence_untilFurtherNotice_dropsAllReplies() {
    assertThat(client.batch("silence off", "echo a", "add k x", "nosuch", "silence on", "echo b"))
        .containsExactly("+OK", "\"b\"");
    assertThat(client.call("has", "k", "x")).isEqualTo(":1");
  }

  @Test
  void skip_withinARunOfProbes_silencesOneOfThem() {
    assertThat(client.batch("silence skip", "add k x", "add k x", "has k x"))
        .containsExactly(":0", ":1");
  }

  // ---- what is counted

  @Test
  void counters_tellCallsRefusalsAndFailuresApart() {
    client.batch("get k", "get", "set k v", "card k", "card k");

    assertThat(server.services().metrics().calls(id("get"))).isEqualTo(1);
    assertThat(server.services().metrics().rejectedCalls(id("get"))).isEqualTo(1);
    assertThat(server.services().metrics().failedCalls(id("get"))).isZero();
    assertThat(server.services().metrics().calls(id("card"))).isEqualTo(2);
    assertThat(server.services().metrics().failedCalls(id("card"))).isEqualTo(2);
    assertThat(server.services().metrics().errorsByKind()).containsEntry("WRONGTYPE", 2L);
  }

  @Test
  void counters_ofARun_countEachOfItsCommands() {
    client.batch("add k x", "add k x", "has k y", "add k bad");

    assertThat(server.services().metrics().calls(id("add"))).isEqualTo(3);
    assertThat(server.services().metrics().failedCalls(id("add"))).isEqualTo(1);
    assertThat(server.services().metrics().calls(id("has"))).isEqualTo(1);
  }

  /** They are timed together, up to whatever else comes. */
  @Test
  void counters_ofASeriesOfInstantCommands_countEach() {
    client.batch("ping", "ping", "ping extra", "echo a", "ping", "multi", "ping", "exec", "ping");
    client.batch("ping");

    assertThat(server.services().metrics().calls(id("ping"))).isEqualTo(6);
    assertThat(server.services().metrics().latency(id("ping")).count()).isEqualTo(6);
    assertThat(server.services().metrics().nanos(id("ping"))).isPositive();
    assertThat(server.services().metrics().calls(id("echo"))).isEqualTo(1);
    assertThat(server.services().metrics().rejectedCalls(id("ping"))).isEqualTo(1);
  }

  @Test
  void errors_insideExec_areNotCountedAsExecs() {
    client.batch("set k v", "multi", "card k", "get k", "exec");

    assertThat(server.services().metrics().failedCalls(id("card"))).isEqualTo(1);
    assertThat(server.services().metrics().failedCalls(id("exec"))).isZero();
  }

  @Test
  void slowCommands_areToldToTheObserverExceptExec() {
    server.observer().setSlowNanos(0);
    client.batch("ping", "add k x", "multi", "ping", "exec");

    assertThat(server.observer().take())
        .containsExactly("slow ping", "slow add", "slow multi", "slow ping");
  }

  @Test
  void monitor_seesEveryCommandThatIsExecutedAndExecOnceMoreAtItsEnd() {
    server.observer().setMonitoring(true);
    client.batch("add k x", "nosuch", "multi", "echo a", "exec");

    assertThat(server.observer().take())
        .containsExactly(
            "monitor add k x", "monitor multi", "monitor exec", "monitor echo a", "monitor exec");
  }

  // ---- admission

  @Test
  void admission_withoutLogin_refusesAllButLogin() throws Exception {
    server.configure("requirepass", "secret");
    client.session().setAuthenticated(false);

    assertThat(client.batch("ping", "nosuch", "get", "login", "ping"))
        .containsExactly(
            "-NOAUTH Authentication required.",
            "-ERR unknown command 'nosuch', with args beginning with: ",
            "-ERR wrong number of arguments for 'get' command",
            "+OK",
            "+PONG");
  }

  @Test
  void admission_whileLoading_refusesAllThatNeedsData() {
    server.persistence().setLoading(true);

    assertThat(client.batch("get k", "multi", "get k", "exec"))
        .containsExactly(
            "-LOADING Redis is loading the dataset in memory",
            "+OK",
            "-LOADING Redis is loading the dataset in memory",
            "-EXECABORT Transaction discarded because of previous errors.");
  }

  @Test
  void admission_ofExecWhenLoadingBeganMeanwhile_refusesWhatNeedsData() {
    client.batch("multi", "get k");
    server.persistence().setLoading(true);

    assertThat(client.call("exec"))
        .isEqualTo(
            "-EXECABORT Transaction discarded because of: LOADING Redis is loading the dataset in"
                + " memory");
    assertThat(client.session().transaction()).isNull();
  }

  @Test
  void admission_afterAFailedSave_refusesWritesAndPing() {
    server.persistence().setWriteRefusal("MISCONF no");

    assertThat(client.batch("set k v", "ping", "get k", "multi", "get k", "exec"))
        .containsExactly("-MISCONF no", "-MISCONF no", "nil", "+OK", "+QUEUED", "[nil]");
  }

  @Test
  void admission_ofExecThatWritesAfterAFailedSave_discardsTheTransaction() {
    client.batch("multi", "set k v");
    server.persistence().setWriteRefusal("MISCONF no");

    assertThat(client.batch("exec", "exec"))
        .containsExactly(
            "-EXECABORT Transaction discarded because of: MISCONF no", "-ERR EXEC without MULTI");
  }

  @Test
  void admission_aboveMaxmemory_refusesWhatGrows() throws Exception {
    client.call("set", "k", "v");
    server.configure("maxmemory", "1");

    assertThat(client.batch("set k w", "del k", "get k"))
        .containsExactly("-OOM command not allowed when used memory > 'maxmemory'.", ":1", "nil");
  }

  @Test
  void admission_ofSubscriberInResp2_allowsOnlyItsCommands() {
    client.session().setSubscriber(true);

    assertThat(client.batch("ping", "get k", "box open x", "box reset", "quit"))
        .containsExactly(
            "+PONG",
            refusedToSubscriber("get"),
            refusedToSubscriber("box|open"),
            refusedToSubscriber("box|reset"),
            "+OK");
  }

  private static String refusedToSubscriber(String command) {
    return "-ERR Can't execute '"
        + command
        + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this"
        + " context";
  }

  @Test
  void admission_ofSubscriberInResp3_allowsAll() {
    client.resp3().session().setSubscriber(true);

    assertThat(client.call("get", "k")).isEqualTo("_");
  }

  // ---- runs of probes

  @Test
  void run_ofDuplicates_staysUnderTheReadLock() {
    client.call("add", "k", "x");

    assertThat(client.batch("add k x", "has k x", "add k x", "has k y"))
        .containsExactly(":0", ":1", ":0", ":0");
    assertThat(commands.add.applied()).isEqualTo(1);
    assertThat(commands.add.answered()).isEqualTo(2);
    assertThat(commands.has.applied()).isZero();
  }

  @Test
  void run_ofOneKindOfDuplicates_staysUnderTheReadLock() {
    client.call("add", "k", "x");

    assertThat(client.batch("add k x", "add k x", "add k x")).containsExactly(":0", ":0", ":0");
    assertThat(commands.add.applied()).isEqualTo(1);
    assertThat(commands.add.answered()).isEqualTo(3);
  }

  @Test
  void run_whileWritesArePaused_endsBeforeTheFirstWrite() {
    server.clients().pause(server.clock().millis() + 1000, true);

    assertThat(client.batch("has k x", "has k x", "add k x", "has k x"))
        .containsExactly(":0", ":0");
    server.clients().unpause();
    assertThat(client.unread()).containsExactly(":1", ":1");
  }

  @Test
  void run_fromTheFirstChange_holdsTheWriteLock() {
    client.call("add", "k", "x");

    assertThat(client.batch("add k x", "has k y", "add k y", "has k y", "add k y", "add k z"))
        .containsExactly(":0", ":0", ":1", ":1", ":0", ":1");
    assertThat(server.effects()).containsExactly("0: add k x", "0: add k y; 0: add k z");
  }

  @Test
  void run_touchesWhatIsThereBeforeItAnswers() {
    client.call("add", "k", "x");
    assertThat(commands.add.touched()).isZero();
    client.batch("add k x", "has k x", "add k y");

    assertThat(commands.add.touched()).isEqualTo(2);
    assertThat(commands.has.touched()).isEqualTo(1);
  }

  @Test
  void run_ends_atAnotherKeyAnotherCommandAndAWrongItem() {
    assertThat(
            client.batch(
                "add k x", "add l x", "add l bad", "add l odd odd", "add l y", "get k", "has l y"))
        .containsExactly(
            ":1",
            ":1",
            "-ERR bad item",
            "+ODD",
            ":1",
            "-WRONGTYPE Operation against a key holding the wrong kind of value",
            ":1");
  }

  @Test
  void run_onAKeyOfAnotherType_answersTheErrorToEach() {
    client.call("set", "k", "v");
    String wrong = "-WRONGTYPE Operation against a key holding the wrong kind of value";

    assertThat(client.batch("has k x", "add k x", "has k x")).containsExactly(wrong, wrong, wrong);
    assertThat(server.effects()).hasSize(1);
  }

  @Test
  void run_onAnExpiredKey_startsAnew() {
    client.batch("add k x", "expire k 10");
    server.effects();
    server.clock().advance(11);

    assertThat(client.batch("has k x", "add k y", "has k x", "has k y"))
        .containsExactly(":0", ":1", ":0", ":1");
    assertThat(server.effects()).containsExactly("0: DEL k; 0: add k y");
  }

  @Test
  void run_insideMulti_isQueuedOneByOne() {
    assertThat(client.batch("multi", "add k x", "add k x", "has k x", "exec"))
        .containsExactly("+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[:1 :0 :1]");
    assertThat(server.effects()).containsExactly("0: add k x");
  }

  @Test
  void run_whereMemoryEndsInTheMiddle_answersTheRest() {
    client.call("add", "k", "x");
    server.keyspace().setHeapLimitBytes(server.keyspace().heapBytes());

    assertThat(client.batch("add l x", "has l x", "add k y"))
        .containsExactly("-OOM command not allowed when used memory > 'maxmemory'.", ":0", ":1");
  }

  @Test
  void requestsOverOneBatch_areAllExecutedInOrder() {
    String[] lines = new String[200];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = "add k " + i / 2;
    }
    List<String> replies = client.batch(lines);

    assertThat(replies).hasSize(200);
    for (int i = 0; i < lines.length; i++) {
      assertThat(replies.get(i)).as("request %d", i).isEqualTo(i % 2 == 0 ? ":1" : ":0");
    }
  }
}
