package io.porteiro.it;

import io.porteiro.it.conformance.CaseRunner;
import io.porteiro.it.conformance.Corpus;
import io.porteiro.it.process.RedisProcess;
import io.porteiro.it.process.ServerProcess;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** What Redis and its Bloom module were recorded to answer, this server answers. */
class ConformanceIT {
  /** Cases that a plain Redis 7.0 cannot pass: other answers there, or no Bloom module. */
  private static final Set<String> NOT_FOR_REDIS = Set.of("bf", "not-7.0");

  @TestFactory
  Stream<DynamicContainer> corpus_onOurServer_everyAnswerIsRedisOwn() {
    ServerProcess server = ServerProcess.started("--enable-debug-command", "yes");
    return Corpus.tests(Corpus.FILES, server.port(), CaseRunner.Bugs.FIXED, _ -> true)
        .onClose(server::close);
  }

  /** Tests the runner: what it reports on a real Redis would be its own mistake. */
  @TestFactory
  Stream<DynamicContainer> corpus_onRedis_passes() {
    RedisProcess redis = RedisProcess.started();
    List<String> files = Corpus.FILES.stream().filter(name -> !name.startsWith("bf")).toList();
    return Corpus.tests(
            files,
            redis.port(),
            CaseRunner.Bugs.EITHER,
            tags -> Collections.disjoint(tags, NOT_FOR_REDIS))
        .onClose(redis::close);
  }
}
