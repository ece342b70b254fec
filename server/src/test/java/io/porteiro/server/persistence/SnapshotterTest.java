package io.porteiro.server.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.store.Keyspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotterTest {
  /** A job whose target cannot be opened; what it was told. */
  private static final class FailingJob implements SnapshotJob {
    private final Throwable reason;
    private final List<String> told = new ArrayList<>();

    FailingJob(Throwable reason) {
      this.reason = reason;
    }

    @Override
    public String name() {
      return "Saving nothing";
    }

    @Override
    public SnapshotTarget open() throws IOException {
      switch (reason) {
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        default -> throw (Error) reason;
      }
    }

    @Override
    public void cut() {
      told.add("cut");
    }

    @Override
    public void completed() {
      told.add("completed");
    }

    @Override
    public void failed(SnapshotFailure failure) {
      told.add("failed");
    }
  }

  private static Throwable reason(String kind) {
    return switch (kind) {
      case "disk" -> new IOException(kind);
      case "fault" -> new UncheckedIOException(new IOException(kind));
      default -> new LinkageError(kind);
    };
  }

  /** Who waits for a SAVE waits for one of the two. */
  @ParameterizedTest
  @ValueSource(strings = {"disk", "fault", "linkage"})
  void runNow_whateverGoesWrong_tellsTheJob(String kind) {
    FailingJob job = new FailingJob(reason(kind));
    try (MemoryPool pool = new MemoryPool(Long.MAX_VALUE)) {
      Keyspace keyspace = new Keyspace(pool, 1, 0);
      new Snapshotter(keyspace, ServerConfig.of(), InstantSource.system()).runNow(job);
    }
    assertThat(job.told).containsExactly("failed");
  }
}
