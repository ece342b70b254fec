package io.porteiro.it;

import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.RespProcess;
import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.reports.ReportRunner;
import io.porteiro.it.reports.ReportedCase;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Faults that users reported of Redis, its Bloom module and servers like them do not happen here.
 */
class ReportedCasesIT {
  private static final String PASSWORD = "s3cret";

  private static final Set<String> OFFERED = Set.of("restart", "strings", "maxmemory");
  private static final Set<String> OFFERED_WITH_LOG = Set.of("restart", "strings", "aof");

  @TestFactory
  Stream<DynamicTest> reports_onOurServer_doNotHappen() {
    ServerProcess server = ServerProcess.started();
    return tests(server, "", one -> OFFERED.containsAll(one.needs()));
  }

  @TestFactory
  Stream<DynamicTest> reports_onOurServerWithLog_doNotHappen() {
    ServerProcess server = ServerProcess.startedWithLog("--appendfsync", "always");
    return tests(
        server,
        "",
        one -> one.needs().contains("aof") && OFFERED_WITH_LOG.containsAll(one.needs()));
  }

  @TestFactory
  Stream<DynamicTest> reports_onOurServerWithPassword_doNotHappen() {
    ServerProcess server = ServerProcess.started("--requirepass", PASSWORD);
    return tests(server, PASSWORD, one -> one.needs().equals(Set.of("requirepass")));
  }

  /** Tests the runner: a real Redis passes all that it has the commands for. */
  @TestFactory
  Stream<DynamicTest> reports_onRedis_doNotHappen() {
    RedisProcess redis = RedisProcess.started();
    return tests(
        redis, "", one -> OFFERED.containsAll(one.needs()) && !one.isHeavy() && !needsMore(one));
  }

  /** Whether a plain Redis 7.0 lacks a command of the case. */
  private static boolean needsMore(ReportedCase reported) {
    String steps = reported.json().get("steps").toString().toUpperCase(Locale.ROOT);
    return steps.contains("BF.") || steps.contains("SETINFO");
  }

  private static Stream<DynamicTest> tests(
      RespProcess server, String password, Predicate<ReportedCase> wanted) {
    return ReportedCase.all().stream()
        .filter(wanted)
        .map(one -> DynamicTest.dynamicTest(one.title(), () -> play(one, server, password)))
        .onClose(server::close);
  }

  private static void play(ReportedCase reported, RespProcess server, String password) {
    try (ReportRunner runner = new ReportRunner(server, password)) {
      runner.play(reported);
    }
  }
}
