package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.LateScope;
import io.porteiro.server.command.Services;
import io.porteiro.server.command.Session;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Watch;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys on their way to another server, on a thread that may wait.
 *
 * <p>Redis stands still meanwhile; here others go on, so that keys can change between the moment
 * their values were taken and the moment they are to be deleted. No such change is lost: the keys
 * are watched, one that changed is not deleted but sent again, and one that is gone is deleted over
 * there. Whatever goes wrong, a key is deleted here only after the other server has confirmed that
 * it holds exactly what is deleted.
 */
final class Migration implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Migration.class);

  /** A key that changes faster than it can be sent stays here in the end. */
  private static final int MAX_ROUNDS = 16;

  private static final String NOT_CONNECTED = "IOERR error or timeout connecting to the client";
  private static final String NOT_WRITTEN = "IOERR error or timeout writing to target instance";
  private static final String NOT_READ = "IOERR error or timeout reading to target instance";
  private static final String RESTLESS =
      "ERR Keys changed faster than they could be sent. They stay here, and the target instance has"
          + " an older copy";

  private final Services services;
  private final LateScope late;
  private final Session session;
  private final MigrateArguments arguments;
  private final List<MigratedKey> keys;
  private final @Nullable SSLSocketFactory encryption;
  private final DeferredReply reply;
  private @Nullable String error;
  private long position;

  /**
   * @param arguments owner of the watches, too
   * @param keys with their values; they are this object's from here on
   */
  Migration(
      Services services,
      LateScope late,
      Session session,
      MigrateArguments arguments,
      List<MigratedKey> keys,
      @Nullable SSLSocketFactory encryption,
      DeferredReply reply) {
    this.services = services;
    this.late = late;
    this.session = session;
    this.arguments = arguments;
    this.keys = keys;
    this.encryption = encryption;
    this.reply = reply;
  }

  @Override
  public void run() {
    try {
      migrate();
    } catch (RuntimeException e) {
      log.error("MIGRATE failed; the keys not acknowledged stay here", e);
      fail("ERR internal error");
    } finally {
      end();
    }
    reply.complete(this::answer);
  }

  private void answer(ReplyWriter writer) {
    LateScope.seenBy(session, position);
    if (error == null) {
      writer.ok();
    } else {
      writer.error(error);
    }
  }

  /** The first error is the one that is told. */
  private void fail(String reason) {
    error = Objects.requireNonNullElse(error, reason);
  }

  private void migrate() {
    TargetServer target = connect();
    if (target != null) {
      try (target) {
        exchange(target);
      }
    }
  }

  /** Redis does not wait for a refusal, and so meets it when it writes. */
  private @Nullable TargetServer connect() {
    try {
      return TargetServer.connect(
          arguments.host(), arguments.port(), arguments.timeoutMs(), encryption);
    } catch (ConnectException e) {
      log.debug("MIGRATE is refused by {}:{}", arguments.host(), arguments.port(), e);
      fail(NOT_WRITTEN);
    } catch (IOException | IllegalArgumentException e) {
      log.debug("MIGRATE cannot connect to {}:{}", arguments.host(), arguments.port(), e);
      fail(NOT_CONNECTED);
    }
    return null;
  }

  private void exchange(TargetServer target) {
    List<MigratedKey> sent = keys;
    for (int round = 0; round < MAX_ROUNDS && !sent.isEmpty() && error == null; round++) {
      sendAndRead(target, sent, round == 0);
      sent = settle(sent);
    }
    if (!sent.isEmpty()) {
      fail(RESTLESS);
    }
  }

  private void sendAndRead(TargetServer target, List<MigratedKey> sent, boolean first) {
    List<MigratedKey> alive = new ArrayList<>();
    try {
      if (first) {
        sendLogin(target);
      }
      for (MigratedKey key : sent) {
        send(target, key, !first, alive);
      }
      target.flush();
    } catch (IOException e) {
      log.debug("MIGRATE cannot write to {}", arguments.host(), e);
      fail(NOT_WRITTEN);
      return;
    }
    try {
      read(target, alive, first);
    } catch (IOException e) {
      log.debug("MIGRATE cannot read from {}", arguments.host(), e);
      fail(NOT_READ);
    }
  }

  private void sendLogin(TargetServer target) throws IOException {
    if (!arguments.login().isEmpty()) {
      target.command(1 + arguments.login().size());
      target.argument("AUTH");
      for (byte[] word : arguments.login()) {
        target.argument(word);
      }
    }
    target.command(2);
    target.argument("SELECT");
    target.argument(Long.toString(arguments.database()));
  }

  /**
   * Sends what makes the key there as it was here when its value was taken.
   *
   * @param again whether what is there under its name came from here
   * @param answered gets the key if a reply will follow
   */
  private void send(TargetServer target, MigratedKey key, boolean again, List<MigratedKey> answered)
      throws IOException {
    DumpPayload payload = key.payload();
    long ttlMs = key.ttlMs(services.clock().millis());
    if (payload != null && ttlMs >= 0) {
      restore(target, key, ttlMs, payload, again || arguments.isReplace());
      answered.add(key);
    } else if (again) {
      target.command(2);
      target.argument("DEL");
      target.argument(key.key().address(), key.key().length());
      answered.add(key);
    }
  }

  private static void restore(
      TargetServer target, MigratedKey key, long ttlMs, DumpPayload payload, boolean replace)
      throws IOException {
    target.command(replace ? 5 : 4);
    target.argument("RESTORE");
    target.argument(key.key().address(), key.key().length());
    target.argument(Long.toString(ttlMs));
    target.argument(payload.address(), payload.length());
    if (replace) {
      target.argument("REPLACE");
    }
  }

  private void read(TargetServer target, List<MigratedKey> sent, boolean first) throws IOException {
    String refusal = first ? readLogin(target) : null;
    for (MigratedKey key : sent) {
      String line = target.line();
      String failure = refusal != null ? refusal : line.startsWith("-") ? line : null;
      key.setAcknowledged(failure == null);
      if (failure != null) {
        fail("ERR Target instance replied with error: " + failure.substring(1));
      }
    }
  }

  /** The error that stands for those of all keys, or null. */
  private @Nullable String readLogin(TargetServer target) throws IOException {
    String login = arguments.login().isEmpty() ? "" : target.line();
    String select = target.line();
    return login.startsWith("-") ? login : select.startsWith("-") ? select : null;
  }

  /**
   * Deletes here what has arrived there, unless it changed.
   *
   * @return the changed ones, with what they are now
   */
  private List<MigratedKey> settle(List<MigratedKey> sent) {
    List<MigratedKey> arrived =
        sent.stream().filter(key -> key.isAcknowledged() && key.watch() != null).toList();
    List<MigratedKey> changed = new ArrayList<>();
    inScope(
        arrived,
        () -> {
          for (MigratedKey key : arrived) {
            if (!settle(key)) {
              changed.add(key);
            }
          }
        });
    return changed;
  }

  private void inScope(List<MigratedKey> named, Runnable work) {
    List<Watch> watches = named.stream().map(MigratedKey::watch).filter(Objects::nonNull).toList();
    if (!watches.isEmpty()) {
      position = Math.max(position, late.write(watches, work));
    }
  }

  /** Whether there is no more to do for the key. */
  private boolean settle(MigratedKey key) {
    Watch watch = Objects.requireNonNull(key.watch());
    key.setAcknowledged(false);
    if (!late.isChanged(watch)) {
      late.delete(watch, key.key());
      endWatch(key, watch);
      key.dropPayload();
      return true;
    }
    Entry now = late.read(watch, key.key());
    endWatch(key, watch);
    if (now == null) {
      key.dropPayload();
      return false;
    }
    return !takeAgain(key, watch, now);
  }

  private void endWatch(MigratedKey key, Watch watch) {
    late.unwatch(watch);
    key.setWatch(null);
  }

  private boolean takeAgain(MigratedKey key, Watch ended, Entry now) {
    try {
      key.dump(now, services.keyspace().pool(), services.config().rdbcompression());
      key.setWatch(late.watch(ended.database(), key.key(), arguments));
      return true;
    } catch (MemoryLimitException e) {
      fail(RESTLESS);
      return false;
    }
  }

  /** Gives everything back. */
  private void end() {
    inScope(
        keys,
        () -> {
          for (MigratedKey key : keys) {
            if (key.watch() != null) {
              endWatch(key, key.watch());
            }
          }
        });
    keys.forEach(MigratedKey::release);
  }
}
