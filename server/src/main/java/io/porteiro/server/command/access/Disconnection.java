package io.porteiro.server.command.access;

import io.porteiro.server.access.Rights;
import io.porteiro.server.access.UserChange;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Session;

/**
 * Closes connections that a change of a user leaves without right to be: all of a user who is no
 * more, and those subscribed to channels that are no longer permitted.
 */
final class Disconnection {
  private final CommandContext context;

  private Disconnection(CommandContext context) {
    this.context = context;
  }

  static void follow(CommandContext context, UserChange change) {
    Disconnection disconnection = new Disconnection(context);
    Rights before = change.before();
    Rights after = change.after();
    if (after == null) {
      disconnection.closeAllOf(change);
    } else if (before != null && !after.hasChannelsOf(before)) {
      disconnection.closeSubscribersOf(change, after);
    }
  }

  private void closeAllOf(UserChange change) {
    for (Session session : context.services().clients().all()) {
      if (session.user() == change.user()) {
        close(session);
      }
    }
  }

  private void closeSubscribersOf(UserChange change, Rights rights) {
    for (Session session : context.services().clients().all()) {
      if (session.user() == change.user() && session.isSubscriber() && !mayStay(session, rights)) {
        close(session);
      }
    }
  }

  private boolean mayStay(Session session, Rights rights) {
    for (Channels.Kind kind : Channels.Kind.values()) {
      for (String name : context.services().channels().subscriptions(session, kind)) {
        if (!kind.isPermitted(rights, name)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The caller still gets its answer. */
  private void close(Session session) {
    if (session == context.session()) {
      session.peer().closeAfterReply();
    } else {
      session.peer().close();
    }
  }
}
