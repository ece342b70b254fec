package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyspaceNotificationsTest {
  private final CommandHarness server = CommandHarness.of(CommandHarness.testCommands());
  private final HarnessClient client = server.client();

  @AfterEach
  void close() {
    server.close();
  }

  private void notify(String classes) throws Exception {
    server.configure("notify-keyspace-events", classes);
  }

  @Test
  void events_areOffAtFirst() {
    client.batch("set k v", "add s x", "del k", "get k");

    assertThat(server.channels().take()).isEmpty();
  }

  @Test
  void events_goToTheKeysChannelThenToTheEvents() throws Exception {
    notify("KEA");
    client.batch("select 3", "set k v", "expire k 100", "del k");

    assertThat(server.channels().take())
        .containsExactly(
            "__keyspace@3__:k set", "__keyevent@3__:set k",
            "__keyspace@3__:k expire", "__keyevent@3__:expire k",
            "__keyspace@3__:k del", "__keyevent@3__:del k");
  }

  @Test
  void events_withoutAChannelToGoTo_areNotMade() throws Exception {
    notify("A");
    client.batch("set k v");

    assertThat(server.channels().take()).isEmpty();
  }

  @Test
  void events_areChosenByTheirClass() throws Exception {
    notify("E$");
    client.batch("set k v", "expire k 100", "add s x", "del k");
    assertThat(server.channels().take()).containsExactly("__keyevent@0__:set k");

    notify("Kg");
    client.batch("set k v", "expire k 100", "add s x", "del k");
    assertThat(server.channels().take())
        .containsExactly("__keyspace@0__:k expire", "__keyspace@0__:k del");

    notify("Ed");
    client.batch("set k v", "add s y", "add s y");
    assertThat(server.channels().take()).containsExactly("__keyevent@0__:add s");
  }

  @Test
  void newKeysAndMisses_areNotInAll() throws Exception {
    notify("EA");
    client.batch("set k v", "get missing");
    assertThat(server.channels().take()).containsExactly("__keyevent@0__:set k");

    notify("En");
    client.batch("set k w", "set other v", "add s x", "get missing");
    assertThat(server.channels().take())
        .containsExactly("__keyevent@0__:new other", "__keyevent@0__:new s");

    notify("Em");
    client.batch("set third w", "get missing", "has missing x");
    assertThat(server.channels().take())
        .containsExactly("__keyevent@0__:keymiss missing", "__keyevent@0__:keymiss missing");
  }

  @Test
  void expiredKeys_areToldWhenTheyAreMet() throws Exception {
    notify("Ex");
    client.batch("set k v", "expire k 10");
    server.clock().advance(11);
    assertThat(server.channels().take()).isEmpty();
    client.call("get", "k");

    assertThat(server.channels().take()).containsExactly("__keyevent@0__:expired k");
  }

  @Test
  void keys_areBytes() throws Exception {
    notify("KE");
    notify("KE$");
    client.call("set", "\u00ff\0", "v");

    assertThat(server.channels().take())
        .containsExactly("__keyspace@0__:\u00ff\0 set", "__keyevent@0__:set \u00ff\0");
  }
}
