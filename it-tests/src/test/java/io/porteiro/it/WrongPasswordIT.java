package io.porteiro.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.it.process.ServerProcess;
import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whoever guesses passwords costs the server little, and the others nothing that they notice. */
class WrongPasswordIT {
  private static final int ATTACKERS = 4;
  private static final int GUESSES_AT_ONCE = 50;
  private static final int GUESS_BYTES = 8000;
  private static final int GUESSES = 2000;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A busy test machine needs some; a server that stops for a batch of guesses needs far more. */
  private static final Duration NOTICED = Duration.ofMillis(500);

  private static final long MAX_GROWTH_BYTES = 8 << 20;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong guesses = new AtomicLong();

  @Test
  void wrongPasswords_manyAtOnce_neitherSlowOthersNorFillMemory() throws Exception {
    try (ServerProcess server = ServerProcess.started("--requirepass", "sesame");
        RawConnection client = server.connect();
        ExecutorService attackers = Executors.newFixedThreadPool(ATTACKERS)) {
      client.call("AUTH", "sesame");
      client.call("SET", "k", "v");
      long before = usedMemory(client);
      List<Future<?>> attacks = new ArrayList<>();
      for (int i = 0; i < ATTACKERS; i++) {
        int attacker = i;
        attacks.add(attackers.submit(() -> attack(server, attacker)));
      }
      Duration median = medianAnswer(client);
      over.set(true);
      for (Future<?> attack : attacks) {
        attack.get(60, TimeUnit.SECONDS);
      }
      assertThat(guesses).hasValueGreaterThanOrEqualTo(GUESSES);
      assertThat(median).as("median with %s guesses", guesses).isLessThan(NOTICED);
      assertThat(usedMemory(client) - before).isLessThan(MAX_GROWTH_BYTES);
      assertThat(client.call("ACL", "LOG", "100000").asList()).hasSizeLessThanOrEqualTo(128);
      assertThat(field(client, "stats", "acl_access_denied_auth")).isEqualTo(guesses.get());
    }
  }

  /** Each guess is a large one, for a name that was not there before. */
  private void attack(ServerProcess server, int attacker) {
    try (RawConnection connection = server.connect().patience(Duration.ofMinutes(1))) {
      for (long next = 0; !over.get(); next += GUESSES_AT_ONCE) {
        for (int i = 0; i < GUESSES_AT_ONCE; i++) {
          String name = attacker + "-" + (next + i) + "n".repeat(GUESS_BYTES);
          connection.send("AUTH", name, "p".repeat(GUESS_BYTES));
        }
        for (int i = 0; i < GUESSES_AT_ONCE; i++) {
          assertThat(connection.read()).asString().contains("WRONGPASS");
          guesses.incrementAndGet();
        }
      }
    }
  }

  /** As long as the guesses take, which a busy machine may draw out. */
  private Duration medianAnswer(RawConnection client) {
    List<Long> nanos = new ArrayList<>();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (guesses.get() < GUESSES && System.nanoTime() < end) {
      long start = System.nanoTime();
      assertThat(client.call("GET", "k")).isEqualTo(new Reply.Bulk("v"));
      nanos.add(System.nanoTime() - start);
    }
    return Duration.ofNanos(nanos.stream().sorted().toList().get(nanos.size() / 2));
  }

  private static long usedMemory(RawConnection client) {
    return field(client, "memory", "used_memory");
  }

  private static long field(RawConnection client, String section, String name) {
    String info = client.call("INFO", section).toString();
    Matcher field = Pattern.compile("\\b" + name + ":(\\d+)").matcher(info);
    assertThat(field.find()).as("%s in %s", name, info).isTrue();
    return Long.parseLong(field.group(1));
  }
}
