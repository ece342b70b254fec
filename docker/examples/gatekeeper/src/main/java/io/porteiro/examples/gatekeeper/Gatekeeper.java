package io.porteiro.examples.gatekeeper;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/**
 * "Is this user name taken?" Almost all names that people try are free, and the filter knows that
 * without the database. Where it says "taken", which may be a mistake, or does not answer, the
 * database is asked.
 */
public final class Gatekeeper {
  /** Small tables grow; a filter that is too small would need more and more parts. */
  private static final long LEAST_CAPACITY = 10_000;

  /** How many times the names there are now a new filter has room for. */
  private static final long GROWTH = 2;

  private final UserTable users;
  private final NameFilter filter;
  private final Counters counters;

  public Gatekeeper(UserTable users, RedisClient porteiro, Counters counters) {
    this.users = users;
    this.filter = new NameFilter(porteiro, counters);
    this.counters = counters;
  }

  public boolean isTaken(String name) throws SQLException {
    return !taken(List.of(name)).isEmpty();
  }

  /** Those of the names that are taken. */
  public Set<String> taken(Collection<String> names) throws SQLException {
    List<String> suspects = filter.suspects(List.copyOf(names));
    counters.countNames(names.size(), suspects.size());
    return suspects.isEmpty() ? Set.of() : users.existing(suspects);
  }

  /**
   * Registers a name. The filter is told before anybody can see the name in the database. If
   * Porteiro does not answer then, nobody can register: a name that the filter does not know would
   * be called free later.
   *
   * @return false if the name is taken
   * @throws JedisException if it cannot be registered now
   */
  public boolean register(String name) throws SQLException {
    return users.insert(name, () -> filter.add(name));
  }

  /**
   * Builds the filter anew from the table, while the old one answers and names are registered: at
   * the start, and now and then, because names that were deleted cannot be taken out of a filter.
   *
   * <p>Nothing is missed: a registration that began before the new filter was there has ended when
   * the table is read, so its name is read; one that began later adds its name to the new filter.
   *
   * @return false if another instance is building it
   */
  public boolean rebuild() throws SQLException {
    return users.alone(() -> {
      filter.beginNext(Math.max(LEAST_CAPACITY, users.count() * GROWTH));
      users.awaitInserts();
      users.forEachBatch(filter::addToNext);
      filter.replaceByNext();
    });
  }

  /** Whether the filter can tell. If not, the database answers everything: time to rebuild. */
  public boolean isFilterComplete() {
    return filter.isComplete();
  }
}
