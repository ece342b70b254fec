package io.porteiro.server.command;

import io.porteiro.server.command.Channels.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A line of CLIENT LIST.
 *
 * @see <a href="https://redis.io/docs/latest/commands/client-list/">its fields</a>
 */
public final class ClientLine {
  private final StringBuilder line = new StringBuilder(256);
  private final Session session;
  private final Channels channels;
  private final long nowMs;

  private ClientLine(Session session, Channels channels, long nowMs) {
    this.session = session;
    this.channels = channels;
    this.nowMs = nowMs;
  }

  /** The line of a session, without its end. */
  public static String of(Session session, Channels channels, long nowMs) {
    ClientLine line = new ClientLine(session, channels, nowMs);
    line.addIdentity();
    line.addState();
    line.addMemory();
    line.addCommand();
    return line.line.toString();
  }

  private void add(String field, Object value) {
    if (!line.isEmpty()) {
      line.append(' ');
    }
    line.append(field).append('=').append(value);
  }

  private void addIdentity() {
    add("id", session.id());
    add("addr", session.peer().address());
    add("laddr", session.peer().localAddress());
    add("fd", session.peer().fileDescriptor());
    add("name", session.name());
    add("age", (nowMs - session.createdAtMs()) / 1000);
    add("idle", Math.max(0, nowMs - session.lastInteractionMs()) / 1000);
  }

  private void addState() {
    Transaction transaction = session.transaction();
    add("flags", flags());
    add("db", session.database());
    add("sub", channels.count(session, Kind.CHANNEL));
    add("psub", channels.count(session, Kind.PATTERN));
    add("ssub", channels.count(session, Kind.SHARD));
    add("multi", transaction == null ? -1 : transaction.size());
    add("watch", session.watches().size());
  }

  private String flags() {
    StringBuilder flags = new StringBuilder();
    addIf(flags, 'O', session.isMonitor());
    addIf(flags, 'P', session.isSubscriber());
    addIf(flags, 'x', session.transaction() != null);
    addIf(flags, 'b', session.isWaiting());
    addTracking(flags, session.tracking());
    addIf(flags, 'A', session.isClosing());
    addIf(flags, 'U', session.peer().isUnixSocket());
    addIf(flags, 'e', session.isNoEvict());
    addIf(flags, 'T', session.isNoTouch());
    return flags.isEmpty() ? "N" : flags.toString();
  }

  private static void addTracking(StringBuilder flags, @Nullable ClientTracking tracking) {
    if (tracking != null) {
      flags.append('t');
      addIf(flags, 'R', tracking.isRedirectBroken());
      addIf(flags, 'B', tracking.options().broadcast());
    }
  }

  private static void addIf(StringBuilder flags, char flag, boolean condition) {
    if (condition) {
      flags.append(flag);
    }
  }

  private void addMemory() {
    Transaction transaction = session.transaction();
    long queued = transaction == null ? 0 : transaction.bytes();
    long input = session.peer().inputBytes();
    long output = session.peer().outputBytes();
    add("qbuf", input);
    add("qbuf-free", 0);
    add("argv-mem", 0);
    add("multi-mem", queued);
    add("rbs", 0);
    add("rbp", 0);
    add("obl", 0);
    add("oll", output == 0 ? 0 : 1);
    add("omem", output);
    add(
        "tot-mem",
        session.peer().objectBytes() + input + output + queued + session.subscriptionBytes());
  }

  private void addCommand() {
    CommandSpec last = session.lastCommand();
    add("events", session.peer().outputBytes() == 0 ? "r" : "rw");
    add("cmd", last == null ? "NULL" : last.fullName());
    add("user", session.user().name());
    add("redir", session.trackingRedirect());
    add("resp", session.reply().protocol());
    add("lib-name", session.libraryName());
    add("lib-ver", session.libraryVersion());
  }
}
