package io.porteiro.examples.gatekeeper;

import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDate;
import java.util.random.RandomGenerator;
import redis.clients.jedis.exceptions.JedisException;

/** What people do on a site: try names, register some, look at pages, a few of them often. */
final class Traffic {
  private static final int KINDS = 100;
  private static final int TRYING = 70;
  private static final int TRYING_TAKEN = 10;
  private static final int REGISTERING = 2;

  private final Gatekeeper gatekeeper;
  private final SecondRequestCache cache;
  private final Visitors visitors;
  private final UserTable users;
  private final Clock clock;
  private final RandomGenerator random;
  private final int names;

  Traffic(
      Gatekeeper gatekeeper,
      SecondRequestCache cache,
      Visitors visitors,
      UserTable users,
      Clock clock,
      RandomGenerator random,
      int names) {
    this.gatekeeper = gatekeeper;
    this.cache = cache;
    this.visitors = visitors;
    this.users = users;
    this.clock = clock;
    this.random = random;
    this.names = names;
  }

  /** One visit. */
  void visit() throws SQLException {
    visitors.came("visitor-" + random.nextInt(names), LocalDate.now(clock));
    int kind = random.nextInt(KINDS);
    if (kind < TRYING) {
      gatekeeper.isTaken(newName());
    } else if (kind < TRYING + TRYING_TAKEN) {
      gatekeeper.isTaken(existingName(1));
    } else if (kind < TRYING + TRYING_TAKEN + REGISTERING) {
      register();
    } else {
      cache.get(existingName(4), users::page);
    }
  }

  private void register() throws SQLException {
    try {
      gatekeeper.register(newName());
    } catch (JedisException e) {
      // "please try again": Porteiro is back in a moment
    }
  }

  private String newName() {
    return "new-" + Long.toString(random.nextLong() >>> 1, 36);
  }

  /** The higher the skew, the more often the same few. */
  private String existingName(double skew) {
    return "user-" + (1 + (int) (Math.pow(random.nextDouble(), skew) * names));
  }
}
