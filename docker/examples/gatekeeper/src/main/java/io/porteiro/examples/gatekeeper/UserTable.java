package io.porteiro.examples.gatekeeper;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The users in the database, which alone is the truth: the filter only spares it questions. */
public final class UserTable {
  private static final int BATCH = 2_000;

  /** Any number that no other lock of this database has. */
  private static final long REBUILD_LOCK = 7_236_017;

  private final DataSource database;

  public UserTable(DataSource database) {
    this.database = database;
  }

  /** Makes the table if it is missing. */
  public void create() throws SQLException {
    execute(
        "CREATE TABLE IF NOT EXISTS users (name text PRIMARY KEY, visits bigint NOT NULL DEFAULT 0)");
  }

  /** Removes all users. */
  public void clear() throws SQLException {
    execute("TRUNCATE users");
  }

  /** Puts in users named user-1, user-2 and so on, so that there is something to look at. */
  public void fill(int count) throws SQLException {
    execute(
        "INSERT INTO users SELECT 'user-' || n FROM generate_series(1, "
            + count
            + ") n ON CONFLICT DO NOTHING");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public long count() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM users")) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Those of the names that exist, by one query. */
  public Set<String> existing(Collection<String> names) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement query =
            connection.prepareStatement("SELECT name FROM users WHERE name = ANY (?)")) {
      query.setArray(1, connection.createArrayOf("text", names.toArray()));
      Set<String> existing = new HashSet<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          existing.add(rows.getString(1));
        }
      }
      return existing;
    }
  }

  /** What a user's page shows; null where there is no such user. */
  public @Nullable String page(String name) throws SQLException {
    try (Connection connection = database.getConnection();
        PreparedStatement query =
            connection.prepareStatement("SELECT visits FROM users WHERE name = ?")) {
      query.setString(1, name);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? name + " was visited " + rows.getLong(1) + " times" : null;
      }
    }
  }

  /**
   * Inserts a name, and calls somebody before that can be seen. If that fails, it is not inserted.
   *
   * @return false if the name was taken already
   */
  public boolean insert(String name, Runnable beforeCommit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        boolean inserted = insert(connection, name);
        if (inserted) {
          beforeCommit.run();
        }
        connection.commit();
        return inserted;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  private static boolean insert(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO users (name) VALUES (?) ON CONFLICT DO NOTHING")) {
      statement.setString(1, name);
      return statement.executeUpdate() == 1;
    }
  }

  /** Waits until every {@link #insert} that has begun has ended; new ones wait meanwhile. */
  void awaitInserts() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("LOCK TABLE users IN SHARE MODE");
      connection.rollback();
    }
  }

  /** Hands out all names as of now, some at a time. */
  void forEachBatch(Consumer<List<String>> taker) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false); // without, the driver would fetch all at once
      statement.setFetchSize(BATCH);
      try (ResultSet rows = statement.executeQuery("SELECT name FROM users")) {
        List<String> batch = new ArrayList<>(BATCH);
        while (rows.next()) {
          batch.add(rows.getString(1));
          if (batch.size() == BATCH) {
            taker.accept(List.copyOf(batch));
            batch.clear();
          }
        }
        if (!batch.isEmpty()) {
          taker.accept(List.copyOf(batch));
        }
      }
      connection.rollback();
    }
  }

  /** A piece of work on the database. */
  interface Work {
    void run() throws SQLException;
  }

  /**
   * Does something that only one instance of the application may do at a time. The database takes
   * the lock back when the connection ends, so a crash leaves none behind.
   *
   * @return false if another instance is at it
   */
  boolean alone(Work work) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      if (!isTrue(statement, "SELECT pg_try_advisory_lock(" + REBUILD_LOCK + ")")) {
        return false;
      }
      try {
        work.run();
      } finally {
        isTrue(statement, "SELECT pg_advisory_unlock(" + REBUILD_LOCK + ")");
      }
      return true;
    }
  }

  private static boolean isTrue(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
