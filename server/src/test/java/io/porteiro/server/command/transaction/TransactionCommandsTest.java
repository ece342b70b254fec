package io.porteiro.server.command.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionCommandsTest {
  private final CommandHarness server =
      CommandHarness.of(CommandHarness.testCommands(), TransactionCommands.commands());
  private final HarnessClient client = server.client();
  private final HarnessClient other = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  // ---- MULTI, EXEC, DISCARD

  @Test
  void exec_answersAllRepliesInOneArray() {
    assertThat(client.batch("multi", "set k v", "get k", "get missing", "exec"))
        .containsExactly("+OK", "+QUEUED", "+QUEUED", "+QUEUED", "[+OK \"v\" nil]");
    assertThat(client.resp3().batch("multi", "get missing", "exec"))
        .containsExactly("+OK", "+QUEUED", "[_]");
  }

  @Test
  void exec_ofNothing_isAnEmptyArray() {
    assertThat(client.batch("multi", "exec")).containsExactly("+OK", "[]");
  }

  @Test
  void execAndDiscard_withoutMulti_areErrors() {
    assertThat(client.call("exec")).isEqualTo("-ERR EXEC without MULTI");
    assertThat(client.call("discard")).isEqualTo("-ERR DISCARD without MULTI");
    assertThat(client.call("discard", "x"))
        .isEqualTo("-ERR wrong number of arguments for 'discard' command");
  }

  @Test
  void exec_withArguments_abortsAlsoWhereNothingWasBegun() {
    String aborted =
        "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command";
    assertThat(client.call("exec", "x")).isEqualTo(aborted);
    assertThat(client.batch("multi", "set k v", "exec x", "exec", "get k"))
        .containsExactly("+OK", "+QUEUED", aborted, "-ERR EXEC without MULTI", "nil");
  }

  @Test
  void multi_nested_isAnErrorThatDoesNotAbort() {
    assertThat(client.batch("multi", "multi", "set k v", "exec"))
        .containsExactly("+OK", "-ERR MULTI calls can not be nested", "+QUEUED", "[+OK]");
  }

  @Test
  void error_whileQueueing_abortsAtExec() {
    String[] wrong = {"nosuch", "get", "box shut", "alone"};
    for (String line : wrong) {
      client.batch("multi", "set k v", line, "set k w");
      assertThat(client.call("exec"))
          .as(line)
          .isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
      assertThat(client.call("get", "k")).as(line).isEqualTo("nil");
    }
  }

  @Test
  void commandNotAllowedInMulti_isRefusedInItsOwnWords() {
    client.call("multi");

    assertThat(client.call("alone")).isEqualTo("-ERR Command not allowed inside a transaction");
  }

  @Test
  void error_whileExecuting_leavesTheRestAlone() {
    client.call("set", "s", "v");

    assertThat(client.batch("multi", "card s", "copy a missing", "add k bad", "set t w", "exec"))
        .last()
        .isEqualTo(
            "[-WRONGTYPE Operation against a key holding the wrong kind of value"
                + " -ERR no such key -ERR bad item +OK]");
    assertThat(client.call("get", "t")).isEqualTo("\"w\"");
  }

  @Test
  void fault_whileExecuting_isAnsweredInItsPlace() {
    assertThat(client.batch("multi", "set k v", "break k", "get k", "exec"))
        .last()
        .isEqualTo("[+OK -ERR internal error \"v\"]");
  }

  @Test
  void discard_forgetsTheQueueAndItsMemory() {
    long before = server.pool().usedBytes();
    client.batch("multi", "set k v");
    assertThat(server.pool().usedBytes()).isGreaterThan(before);

    assertThat(client.call("discard")).isEqualTo("+OK");
    assertThat(server.pool().usedBytes()).isEqualTo(before);
    assertThat(client.batch("get k", "exec")).containsExactly("nil", "-ERR EXEC without MULTI");
  }

  @Test
  void exec_givesTheMemoryOfTheQueueBack() {
    client.call("set", "k", "v");
    long before = server.pool().usedBytes();
    client.batch("multi", "set k w", "get k", "exec");

    assertThat(server.pool().usedBytes()).isEqualTo(before);
  }

  @Test
  void disconnection_discardsTheQueueAndTheWatches() {
    long before = server.pool().usedBytes();
    other.batch("watch a b", "multi", "set k v");
    other.close();

    assertThat(server.pool().usedBytes()).isEqualTo(before);
    assertThat(client.call("get", "k")).isEqualTo("nil");
  }

  @Test
  void queue_aboveMaxmemory_takesReadsAndDeletionsAndRefusesWhatGrows() throws Exception {
    client.batch("set k v", "set other v");
    server.configure("maxmemory", "1");

    assertThat(client.batch("multi", "get k", "del k", "exec"))
        .containsExactly("+OK", "+QUEUED", "+QUEUED", "[\"v\" :1]");
    assertThat(client.batch("multi", "set k v", "get k", "exec"))
        .containsExactly(
            "+OK",
            "-OOM command not allowed when used memory > 'maxmemory'.",
            "+QUEUED",
            "-EXECABORT Transaction discarded because of previous errors.");
  }

  @Test
  void queue_beyondTheQueryBufferLimit_closesTheConnection() throws Exception {
    server.configure("client-query-buffer-limit", "1mb");
    long before = server.pool().usedBytes();
    client.call("multi");
    for (int i = 0; i < 200 && !client.isClosed(); i++) {
      client.send("echo", "x".repeat(10_000));
    }

    assertThat(client.isClosed()).isTrue();
    assertThat(server.pool().usedBytes()).isEqualTo(before);
  }

  @Test
  void transaction_isOneUnitOfTheJournal() {
    client.batch("multi", "set a 1", "select 2", "set b 2", "get a", "expire b 10", "exec");

    assertThat(server.effects())
        .containsExactly(
            "0: set a 1; 2: set b 2; 2: PEXPIREAT b " + (server.clock().millis() + 10));
  }

  @Test
  void transaction_thatOnlyReads_isNotJournalled() {
    client.batch("multi", "get a", "walk", "exec");

    assertThat(server.effects()).isEmpty();
  }

  @Test
  void transaction_hasOneTime() {
    client.batch("set k v", "expire k 10");
    server.clock().advance(10);

    assertThat(client.batch("multi", "get k", "expire k 5", "get k", "exec"))
        .last()
        .isEqualTo("[\"v\" :1 \"v\"]");
  }

  @Test
  void transaction_ofAllKindsOfScopes_worksUnderOneScope() {
    assertThat(
            client.batch(
                "multi",
                "set a 1",
                "walk",
                "all",
                "add b x",
                "swap 0 1",
                "walk",
                "select 1",
                "walk",
                "flush",
                "has b x",
                "exec"))
        .last()
        .isEqualTo("[+OK :1 :1 :1 +OK :0 +OK :2 :2 :0]");
  }

  @Test
  void transaction_seesExpiredKeysAsAbsentAndRemovesThem() {
    client.batch("set k v", "expire k 10");
    server.effects();
    server.clock().advance(11);

    assertThat(client.batch("multi", "get k", "get k", "exec")).last().isEqualTo("[nil nil]");
    assertThat(server.effects()).containsExactly("0: DEL k");
  }

  // ---- WATCH, UNWATCH

  private String execAfter(HarnessClient changer, String... lines) {
    changer.batch(lines);
    return client.batch("multi", "ping", "exec").getLast();
  }

  @Test
  void watch_ofAKeyThatStays_letsExecPass() {
    client.batch("set k v", "watch k other");

    assertThat(execAfter(other, "get k", "set unrelated v", "add unrelated2 x"))
        .isEqualTo("[+PONG]");
  }

  @Test
  void watch_ofAKeyThatChanges_stopsExec() {
    String[][] changes = {
      {"set k w"},
      {"del k"},
      {"expire k 100"},
      {"copy k from"},
      {"flush"},
      {"swap 0 1"},
      {"select 1", "swap 1 0"},
      {"set k w", "set k v"},
    };
    for (String[] change : changes) {
      other.batch("select 0", "flush", "set k v", "set from v");
      client.call("watch", "k");
      assertThat(execAfter(other, change)).as(String.join("; ", change)).isEqualTo("nil-array");
    }
  }

  @Test
  void watch_ofAMissingKeyThatAppears_stopsExec() {
    client.call("watch", "k");
    assertThat(execAfter(other, "add k x")).isEqualTo("nil-array");

    client.call("watch", "m");
    assertThat(execAfter(other, "select 1", "set m v", "swap 0 1", "select 0"))
        .isEqualTo("nil-array");
  }

  @Test
  void watch_ofAMissingKey_isNotTroubledByFlushAndSwap() {
    client.call("watch", "k");

    assertThat(execAfter(other, "set x y", "flush", "swap 0 1")).isEqualTo("[+PONG]");
  }

  @Test
  void watch_ofADuplicateAdd_letsExecPass() {
    client.batch("add k x", "watch k");

    assertThat(execAfter(other, "add k x", "has k y")).isEqualTo("[+PONG]");
  }

  @Test
  void watch_isOfTheDatabaseItWasMadeIn() {
    client.batch("select 1", "watch k", "select 0");
    assertThat(execAfter(other, "set k v")).isEqualTo("[+PONG]");

    client.batch("select 1", "watch k", "select 0");
    assertThat(execAfter(other, "select 1", "set k v")).isEqualTo("nil-array");
  }

  @Test
  void watch_ofOnesOwnChange_stopsExecToo() {
    client.call("watch", "k");

    assertThat(execAfter(client, "set k v")).isEqualTo("nil-array");
  }

  @Test
  void watch_ofAKeyThatExpires_stopsExec() {
    client.batch("set k v", "expire k 10", "watch k");
    server.clock().advance(11);
    assertThat(execAfter(other)).as("not yet removed").isEqualTo("nil-array");

    client.batch("set k v", "expire k 10", "watch k");
    server.clock().advance(11);
    assertThat(execAfter(other, "get k")).as("removed").isEqualTo("nil-array");
  }

  @Test
  void watch_ofAKeyPastItsTime_isOfAMissingKey() {
    client.batch("set k v", "expire k 10");
    server.clock().advance(11);
    client.call("watch", "k");

    assertThat(execAfter(other, "get k")).isEqualTo("[+PONG]");
  }

  @Test
  void watch_swappedWithAnExpiredKey_isOfAMissingKeyStill() {
    other.batch("select 1", "set k v", "expire k 10");
    server.clock().advance(11);
    client.call("watch", "k");
    other.call("swap", 0, 1);

    assertThat(other.session().database()).isEqualTo(1);
    assertThat(client.session().watches()).singleElement().matches(watch -> !watch.isChanged());
  }

  @Test
  void watch_ofTheSameKeyTwice_isOneWatch() {
    client.batch("watch k k j", "watch k");

    assertThat(client.session().watches()).hasSize(2);
  }

  @Test
  void watch_byManyClients_stopsThemAll() {
    HarnessClient third = server.client();
    client.call("watch", "k");
    third.call("watch", "k");
    other.call("set", "k", "v");

    assertThat(client.batch("multi", "exec").getLast()).isEqualTo("nil-array");
    assertThat(third.resp3().batch("multi", "exec").getLast()).isEqualTo("_");
  }

  @Test
  void watch_insideMulti_isRefusedAndDoesNotAbort() {
    assertThat(client.batch("multi", "watch k", "ping", "exec"))
        .containsExactly("+OK", "-ERR WATCH inside MULTI is not allowed", "+QUEUED", "[+PONG]");
  }

  @Test
  void watches_endWithExecDiscardAndUnwatch() {
    String[][] ends = {{"multi", "exec"}, {"multi", "discard"}, {"unwatch"}, {"exec x"}};
    for (String[] end : ends) {
      client.call("watch", "k");
      client.batch(end);
      assertThat(client.session().watches()).as(String.join("; ", end)).isEmpty();
      assertThat(execAfter(other, "set k v")).as(String.join("; ", end)).isEqualTo("[+PONG]");
    }
  }

  @Test
  void watches_endAlsoWhenExecIsAborted() {
    client.batch("watch k", "multi", "nosuch");
    assertThat(client.call("exec")).startsWith("-EXECABORT");

    assertThat(execAfter(other, "set k v")).isEqualTo("[+PONG]");
  }

  @Test
  void unwatch_insideMulti_isQueuedAndDoesNotSaveTheTransaction() {
    client.batch("watch k", "multi", "unwatch");
    other.call("set", "k", "v");
    assertThat(client.call("exec")).isEqualTo("nil-array");

    assertThat(client.batch("multi", "unwatch", "exec")).last().isEqualTo("[+OK]");
  }

  @Test
  void errorsWhileQueueing_countMoreThanAChangedKey() {
    client.batch("watch k", "multi", "nosuch");
    other.call("set", "k", "v");

    assertThat(client.call("exec"))
        .isEqualTo("-EXECABORT Transaction discarded because of previous errors.");
  }

  @Test
  void watches_areCountedAndBounded() {
    long before = server.pool().usedBytes();
    client.batch("watch a b c");
    assertThat(server.pool().usedBytes()).isGreaterThan(before);

    server.keyspace().setHeapLimitBytes(server.keyspace().heapBytes());
    assertThat(client.call("watch", "d")).startsWith("-OOM ");
    assertThat(client.call("unwatch")).isEqualTo("+OK");
    assertThat(server.pool().usedBytes()).isEqualTo(before);
  }
}
