package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.access.AccessLog;
import io.porteiro.server.access.Denial;
import io.porteiro.server.access.User;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;

/** What is said of a command that is not permitted, to the client and in the access log. */
public final class Denials {
  private Denials() {}

  /** The error, without saying which key or channel is at fault. */
  static String error(User user, CommandSpec spec, long verdict) {
    return "NOPERM "
        + switch (Authorization.denial(verdict)) {
          case KEY -> "No permissions to access a key";
          case CHANNEL -> "No permissions to access a channel";
          case COMMAND, AUTH -> ofCommand(user, spec);
        };
  }

  /** The reason, with the key or channel: ACL DRYRUN. */
  public static String detail(User user, CommandSpec spec, Request request, long verdict) {
    String argument = request.text(Authorization.argument(verdict));
    return switch (Authorization.denial(verdict)) {
      case KEY -> ofArgument(user, argument, "key");
      case CHANNEL -> ofArgument(user, argument, "channel");
      case COMMAND, AUTH -> ofCommand(user, spec);
    };
  }

  private static String ofCommand(User user, CommandSpec spec) {
    return "User "
        + user.name()
        + " has no permissions to run the '"
        + spec.fullName()
        + "' command";
  }

  private static String ofArgument(User user, String argument, String kind) {
    return "User " + user.name() + " has no permissions to access the '" + argument + "' " + kind;
  }

  /** The error of a command that was permitted when it was queued, and no longer is. */
  static String errorInTransaction(long verdict) {
    return "NOPERM ACLs rules changed between the moment the transaction was accumulated and the"
        + " EXEC call. This command is no longer allowed for the following reason: "
        + switch (Authorization.denial(verdict)) {
          case COMMAND -> "no permission to execute the command or subcommand";
          case KEY -> "no permission to touch the specified keys";
          case CHANNEL -> "no permission to access one of the channels used as arguments";
          case AUTH -> "no permission";
        };
  }

  /** Logs a command that is not permitted. */
  static void log(
      Services services,
      Session session,
      CommandSpec spec,
      Request request,
      long verdict,
      boolean inTransaction) {
    Denial denial = Authorization.denial(verdict);
    String object =
        denial == Denial.COMMAND ? spec.fullName() : kept(request, Authorization.argument(verdict));
    session.setLastCommand(spec);
    log(services, session, denial, inTransaction, object, session.user().name());
  }

  /** Logs a login that failed. */
  public static void logLogin(CommandContext context, String username) {
    boolean inTransaction = context.isInTransaction() || context.session().transaction() != null;
    String command = kept(context.request(), 0);
    log(context.services(), context.session(), Denial.AUTH, inTransaction, command, username);
  }

  private static void log(
      Services services,
      Session session,
      Denial denial,
      boolean inTransaction,
      String object,
      String username) {
    long nowMs = services.clock().millis();
    String client = ClientLine.of(session, services.channels(), nowMs);
    services
        .accessLog()
        .add(new AccessLog.Event(denial, inTransaction, object, username, client), nowMs);
  }

  /** As much of an argument as the log keeps. */
  private static String kept(Request request, int index) {
    int length = Math.min(request.length(index), AccessLog.KEPT_BYTES);
    return new String(OffHeap.toArray(request.address(index), length), StandardCharsets.ISO_8859_1);
  }
}
