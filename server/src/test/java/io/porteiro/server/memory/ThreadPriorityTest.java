package io.porteiro.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ThreadPriorityTest {
  /** Which field of the system's line it is, counted from behind the name in brackets. */
  private static final int NICE_FIELD = 16;

  private static int nice() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE_FIELD]);
  }

  private static int niceOfNewThread() throws Exception {
    FutureTask<Integer> asking = new FutureTask<>(ThreadPriorityTest::nice);
    Thread.ofPlatform().start(asking);
    return asking.get();
  }

  /** The threads that write and sync a snapshot are started by the one that is lowered. */
  @Test
  void lower_isOfTheCallingThreadAndThoseItStarts() throws Exception {
    int before = nice();
    FutureTask<int[]> lowered =
        new FutureTask<>(() -> {
          ThreadPriority.lower();
          return new int[] {nice(), niceOfNewThread()};
        });
    Thread.ofPlatform().start(lowered);
    assertThat(lowered.get()).containsExactly(19, 19);
    assertThat(nice()).isEqualTo(before);
  }
}
