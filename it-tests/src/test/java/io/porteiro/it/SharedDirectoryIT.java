package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Several servers in one directory, at once or one after the other's violent end. */
class SharedDirectoryIT {
  private static final String[] SAVING = {"--save", "3600 1"};

  private static ServerProcess preparedBeside(ServerProcess other, String... arguments) {
    ServerProcess server = ServerProcess.prepared(arguments);
    server.launch("--dir", other.directory().toString());
    return server;
  }

  /** Whichever saved last would be all that is left of both. */
  @Test
  void secondServerThatSaves_isRefusedUntilTheFirstIsKilled() {
    try (ServerProcess first = ServerProcess.started(SAVING);
        ServerProcess second = preparedBeside(first, SAVING)) {
      assertThat(second.awaitExit()).isEqualTo(1);
      assertThat(second.log()).contains("another server is using it");
      first.kill();
      second.start("--dir", first.directory().toString());
      assertThat(second.call("PING")).isEqualTo(new Reply.Simple("PONG"));
    }
  }

  @Test
  void secondServerThatDoesNotSave_runs_butCannotOverwriteTheFirstOnesFile() {
    try (ServerProcess first = ServerProcess.started();
        ServerProcess second = preparedBeside(first)) {
      second.awaitPong();
      first.call("SET", "of", "first");
      assertThat(first.call("SAVE")).isEqualTo(new Reply.Simple("OK"));
      assertThat(second.call("SAVE")).isInstanceOf(Reply.Failure.class);
      assertThat(second.log()).contains("another server is writing");
      first.kill();
      assertThat(second.call("SAVE")).isEqualTo(new Reply.Simple("OK"));
    }
  }

  @Test
  void unfinishedSave_ofAKilledServer_isDeletedByTheNext() throws IOException {
    try (ServerProcess server = ServerProcess.started(SAVING)) {
      Path unfinished = server.directory().resolve("temp-" + server.pid() + ".rdb");
      server.kill();
      Files.writeString(unfinished, "half");
      Files.setLastModifiedTime(
          unfinished, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
      server.start();
      assertThat(unfinished).doesNotExist();
      assertThat(server.log()).contains("Deleted " + unfinished);
    }
  }
}
