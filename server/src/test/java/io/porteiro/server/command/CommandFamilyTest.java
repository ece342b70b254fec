package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.AfterEach;

/** What tests of command families have in common: a server with these families, and a client. */
public abstract class CommandFamilyTest {
  protected final CommandHarness server;
  protected final HarnessClient client;

  @SafeVarargs
  protected CommandFamilyTest(Collection<CommandSpec>... families) {
    server = CommandHarness.of(families);
    client = server.client();
  }

  /** Also holds that nothing failed in the middle of a change. */
  @AfterEach
  final void stop() {
    assertThat(server.lifecycle().take()).noneMatch(call -> call.startsWith("halt"));
    server.close();
  }

  /** The reply to a command: words with single blanks between. */
  protected final String call(String line) {
    return client.call((Object[]) line.split(" ", -1));
  }
}
