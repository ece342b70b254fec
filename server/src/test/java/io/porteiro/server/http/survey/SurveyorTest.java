package io.porteiro.server.http.survey;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.CommandHarness;
import io.porteiro.server.command.HarnessClient;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SurveyorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Question ALL = new Question(Question.ALL, 100);

  private final CommandHarness server =
      CommandHarness.of(
          BloomCommands.commands(),
          HyperLogLogCommands.commands(),
          StringCommands.commands(),
          KeyspaceCommands.commands(),
          ConnectionCommands.commands());
  private final HarnessClient client = server.client();
  private final Surveyor surveyor = new Surveyor(server.keyspace(), server.clock());

  @AfterEach
  void close() {
    surveyor.close();
    server.close();
  }

  private Survey ask(Question question) {
    return surveyor.ask(question, PATIENCE);
  }

  @Test
  void filter_ofAnyDatabase_isToldWithItsFigures() {
    client.call("SELECT", "3");
    client.call("BF.RESERVE", "f", "0.01", "1000", "EXPANSION", "4");
    client.call("BF.MADD", "f", "a", "b", "c");
    Survey survey = ask(ALL);
    assertThat(survey.complete()).isTrue();
    assertThat(survey.filters())
        .singleElement()
        .satisfies(filter -> {
          assertThat(filter.database()).isEqualTo(3);
          assertThat(filter.name()).isEqualTo("f");
          assertThat(filter.items()).isEqualTo(3);
          assertThat(filter.capacity()).isEqualTo(1000);
          assertThat(filter.promisedErrorRate()).isEqualTo(0.01);
          assertThat(filter.errorRate()).isBetween(0.0, 1e-9);
          assertThat(filter.fill()).isBetween(0.001, 0.01);
          assertThat(filter.subFilters()).isEqualTo(1);
          assertThat(filter.expansion()).isEqualTo(4);
          assertThat(filter.bytes()).isBetween(1300L, 1700L);
        });
  }

  @Test
  void fixedFilter_andStrings_areToldApart() {
    client.call("BF.RESERVE", "f", "0.1", "10", "NONSCALING");
    client.call("SET", "s", "text");
    client.call("SET", "n", "1");
    client.call("PFADD", "h", "a");
    Survey survey = ask(ALL);
    assertThat(survey.filters()).extracting(FilterFigures::expansion).containsExactly(0L);
    assertThat(survey.hyperLogLogs()).isOne();
    assertThat(survey.hyperLogLogBytes()).isPositive();
  }

  @Test
  void filters_beyondTheLimit_areTheLargestAndTheRestIsCounted() {
    for (int i = 1; i <= 50; i++) {
      client.call("BF.RESERVE", "f" + i, "0.01", Integer.toString(1000 * i));
    }
    Survey survey = ask(new Question("f*", 3));
    assertThat(survey.filters())
        .extracting(FilterFigures::name)
        .containsExactly("f50", "f49", "f48");
    assertThat(survey.matching()).isEqualTo(50);
    assertThat(survey.leftOut()).isEqualTo(47);
    assertThat(ask(new Question("f*", 0)).leftOut()).isEqualTo(50);
  }

  @Test
  void filters_byPattern_areThoseThatMatchByteByByte() {
    client.call("BF.ADD", "user:1", "x");
    client.call("BF.ADD", "mail:1", "x");
    assertThat(ask(new Question("user:*", 10)).filters())
        .extracting(FilterFigures::name)
        .containsExactly("user:1");
  }

  @Test
  void filter_pastItsTime_isNotThere() {
    client.call("BF.ADD", "f", "x");
    client.call("PEXPIRE", "f", "10");
    server.clock().advance(11);
    assertThat(ask(ALL).filters()).isEmpty();
  }

  @Test
  void manyKeys_areAllSeen() {
    for (int i = 0; i < 20_000; i++) {
      client.call("PFADD", "h" + i, "a");
    }
    assertThat(ask(ALL).hyperLogLogs()).isEqualTo(20_000);
  }

  /** Whoever asks again and again must not keep a core busy with walks. */
  @Test
  void answer_askedForAgainAtOnce_isTheSame() {
    Survey first = ask(ALL);
    client.call("BF.ADD", "f", "x");
    assertThat(ask(ALL)).isSameAs(first);
  }

  @Test
  void answer_withoutPatience_isIncompleteFirst() throws InterruptedException {
    Survey survey = surveyor.ask(ALL, Duration.ZERO);
    assertThat(survey.filters()).isEmpty();
    for (int i = 0; i < 1000 && !survey.complete(); i++) {
      Thread.sleep(5);
      survey = surveyor.ask(ALL, Duration.ZERO);
    }
    assertThat(survey.complete()).isTrue();
  }
}
