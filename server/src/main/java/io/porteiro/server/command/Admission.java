package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.memory.OffHeap;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a command may run at all: known, right number of arguments, login, rights of the user,
 * memory, state of the server.
 */
final class Admission {
  /** Unknown names and arguments are told back up to this many bytes. */
  private static final int TOLD_BYTES = 128;

  /**
   * Commands that every Redis has and this server has not. They are refused in words of their own,
   * because a client may take "unknown command" for a reason to try the next one: Redisson then
   * sends EVALSHA for ever. (SCRIPT and FUNCTION are known: as containers without subcommands.)
   */
  private static final Set<String> SCRIPTING =
      Set.of("EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO");

  private static final String NO_MEMORY_FOR_ARGUMENT =
      "OOM command not allowed when used memory > 'maxmemory'.";

  /** To Redis a monitor is a kind of replica. */
  private static final String NO_KEYS_FOR_MONITORS = "ERR Replica can't interact with the keyspace";

  private final Services services;
  private long verdict = Authorization.PERMITTED;

  Admission(Services services) {
    this.services = services;
  }

  /**
   * The error to answer instead of executing, in Redis's order of checks; null if it may run.
   *
   * @param spec null for an unknown command; a container of subcommands for an unknown one of them
   */
  @Nullable String refusal(Session session, @Nullable CommandSpec spec, Request request) {
    verdict = Authorization.PERMITTED;
    if (spec == null) {
      return unknownCommand(request);
    }
    if (spec.hasSubcommands() && request.count() > 1) {
      return unknownSubcommand(spec, request);
    }
    if (!spec.admits(request.count())) {
      return Errors.wrongArity(spec.fullName()).error();
    }
    if (needsLogin(session) && !spec.has(CommandFlag.NO_AUTH)) {
      return Errors.NO_AUTH;
    }
    if (session.transaction() != null && spec.has(CommandFlag.NO_MULTI)) {
      return "ERR Command not allowed inside a transaction";
    }
    verdict = Authorization.check(session.user().rights(), spec, request, 0);
    if (verdict != Authorization.PERMITTED) {
      return Denials.error(session.user(), spec, verdict);
    }
    if (request.lacksMemory() || isOverMemory(session, spec)) {
      return NO_MEMORY_FOR_ARGUMENT;
    }
    return stateRefusal(session, spec);
  }

  /** A connection from the time of a password that was taken away since may do what all may. */
  private boolean needsLogin(Session session) {
    return !session.isAuthenticated() && !services.users().defaultUser().rights().isOpen();
  }

  /** To be called where the last refusal is answered: logs it if the user lacks a right. */
  void logDenial(Session session, CommandSpec spec, Request request) {
    if (verdict != Authorization.PERMITTED) {
      boolean inTransaction = session.transaction() != null;
      Denials.log(services, session, spec, request, verdict, inTransaction);
    }
  }

  private @Nullable String stateRefusal(Session session, CommandSpec spec) {
    if (mayWrite(session, spec) || spec.name().equals("ping")) {
      String refusal = services.persistence().writeRefusal();
      if (refusal != null) {
        return refusal;
      }
    }
    if (session.isSubscriber()) {
      String refusal = subscriberRefusal(session, spec);
      if (refusal != null) {
        return refusal;
      }
    }
    boolean needsData = isOrLacks(session, spec, CommandFlag.LOADING);
    if (needsData && services.persistence().isLoading()) {
      return Errors.LOADING;
    }
    return session.isMonitor() && usesKeys(session, spec) ? NO_KEYS_FOR_MONITORS : null;
  }

  private boolean usesKeys(Session session, CommandSpec spec) {
    return mayReplicate(session, spec) || isOrHolds(session, spec, CommandFlag.READONLY);
  }

  private boolean isOverMemory(Session session, CommandSpec spec) {
    long maxmemory = services.config().maxmemory();
    return maxmemory > 0
        && services.keyspace().pool().lastingBytes() > maxmemory
        && isOrHolds(session, spec, CommandFlag.DENYOOM);
  }

  /** Whether the command writes, or executes queued ones that do. */
  boolean mayWrite(Session session, CommandSpec spec) {
    return isOrHolds(session, spec, CommandFlag.WRITE);
  }

  /** Whether CLIENT PAUSE WRITE holds the command: PUBLISH and PFCOUNT too. */
  boolean mayReplicate(Session session, CommandSpec spec) {
    return mayWrite(session, spec) || isOrHolds(session, spec, CommandFlag.MAY_REPLICATE);
  }

  private static boolean isOrHolds(Session session, CommandSpec spec, CommandFlag flag) {
    if (spec.has(flag)) {
      return true;
    }
    Transaction executed = executed(session, spec);
    return executed != null && executed.holds(flag);
  }

  private static boolean isOrLacks(Session session, CommandSpec spec, CommandFlag flag) {
    if (!spec.has(flag)) {
      return true;
    }
    Transaction executed = executed(session, spec);
    return executed != null && executed.lacks(flag);
  }

  /** The transaction that the command would execute: it is EXEC. */
  private static @Nullable Transaction executed(Session session, CommandSpec spec) {
    Transaction transaction = session.transaction();
    return transaction != null && spec.name().equals("exec") ? transaction : null;
  }

  /** In RESP2 a subscriber's replies and messages could not be told apart. */
  private static @Nullable String subscriberRefusal(Session session, CommandSpec spec) {
    if (session.reply().protocol() != 2) {
      return null;
    }
    return switch (spec.fullName()) {
      case "ping", "subscribe", "ssubscribe", "unsubscribe", "sunsubscribe", "psubscribe" -> null;
      case "punsubscribe", "quit", "reset" -> null;
      default ->
          "ERR Can't execute '"
              + spec.fullName()
              + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in"
              + " this context";
    };
  }

  private static String unknownCommand(Request request) {
    String name = cut(request, 0, TOLD_BYTES);
    if (SCRIPTING.contains(name.toUpperCase(Locale.ROOT))) {
      return "ERR This instance has no scripting support, which '" + name + "' needs";
    }
    return "ERR unknown command '" + name + "', with args beginning with: " + arguments(request);
  }

  private static StringBuilder arguments(Request request) {
    StringBuilder told = new StringBuilder();
    for (int i = 1; i < request.count() && told.length() < TOLD_BYTES; i++) {
      String argument = cut(request, i, TOLD_BYTES - told.length());
      told.append('\'').append(argument).append("' ");
    }
    return told;
  }

  private static String unknownSubcommand(CommandSpec container, Request request) {
    return "ERR unknown subcommand '"
        + cut(request, 1, TOLD_BYTES)
        + "'. Try "
        + container.name().toUpperCase(Locale.ROOT)
        + " HELP.";
  }

  /** At most so many bytes, and ending at a zero byte, as C would print it. */
  private static String cut(Request request, int index, int bytes) {
    StringBuilder text = new StringBuilder();
    int length = Math.min(request.length(index), bytes);
    for (int i = 0; i < length; i++) {
      byte b = OffHeap.getByte(request.address(index) + i);
      if (b == 0) {
        break;
      }
      text.append((char) (b & 0xff));
    }
    return text.toString();
  }
}
