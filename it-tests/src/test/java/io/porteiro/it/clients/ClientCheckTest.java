package io.porteiro.it.clients;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.it.process.ServerProcess;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A check that cannot fail would tell nothing. */
class ClientCheckTest {
  private static final String ALL =
      ClientCheck.SUBJECTS.stream().map(s -> "echo ok " + s).collect(Collectors.joining(";"));

  @Test
  void program_reportingAllSubjects_passes() {
    assertThatCode(() -> play(ALL)).doesNotThrowAnyException();
  }

  @Test
  void program_leavingASubjectOut_fails() {
    assertThatThrownBy(() -> play(ALL.replace("echo ok scan", "true")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("ok scan");
  }

  @Test
  void program_endingWithAnotherCode_failsWithWhatItPrinted() {
    assertThatThrownBy(() -> play(ALL + "; echo because; exit 3"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("because");
  }

  private static void play(String script) {
    try (ServerProcess server = ServerProcess.prepared()) {
      ClientCheck.run(server, 2, Path.of("."), "sh", "-c", script);
    }
  }
}
