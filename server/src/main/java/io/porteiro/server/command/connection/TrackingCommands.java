package io.porteiro.server.command.connection;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.ClientTracking;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.TrackingOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** CLIENT TRACKING, CACHING, TRACKINGINFO and GETREDIR: client-side caching. */
final class TrackingCommands {
  private static final String NOT_TRACKED =
      "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or"
          + " OPTOUT mode enabled";

  private TrackingCommands() {}

  // ---- CLIENT TRACKING

  static Operation tracking(CommandContext context) {
    Arguments arguments = context.arguments();
    int onOff = arguments.skip();
    TrackingArguments options = TrackingArguments.parse(context);
    if (arguments.isWord(onOff, "ON")) {
      return turnOn(context.session(), options.checked(context.session()));
    }
    if (!arguments.isWord(onOff, "OFF")) {
      throw Errors.syntax();
    }
    return TrackingCommands::turnOff;
  }

  private static Operation turnOn(Session session, TrackingOptions options) {
    return (context, reply) -> {
      context.services().tracking().enable(session, options);
      reply.ok();
    };
  }

  private static void turnOff(CommandContext context, ReplyWriter reply) {
    context.services().tracking().disable(context.session());
    reply.ok();
  }

  // ---- CLIENT CACHING

  static Operation caching(CommandContext context) {
    ClientTracking tracking = context.session().tracking();
    if (tracking == null) {
      throw new CommandException(NOT_TRACKED);
    }
    checkCaching(context.arguments(), tracking.options());
    return (_, reply) -> {
      tracking.setCaching(true);
      reply.ok();
    };
  }

  private static void checkCaching(Arguments arguments, TrackingOptions options) {
    if (arguments.accept("YES")) {
      require(
          options.optIn(),
          "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
    } else if (arguments.accept("NO")) {
      require(
          options.optOut(),
          "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
    } else {
      throw Errors.syntax();
    }
  }

  private static void require(boolean condition, String error) {
    if (!condition) {
      throw new CommandException(error);
    }
  }

  // ---- CLIENT GETREDIR, CLIENT TRACKINGINFO

  static Operation getRedirect(CommandContext unused) {
    return (context, reply) -> reply.integer(context.session().trackingRedirect());
  }

  static Operation trackingInfo(CommandContext unused) {
    return (context, reply) -> describe(context.session(), reply);
  }

  private static void describe(Session session, ReplyWriter reply) {
    ClientTracking tracking = session.tracking();
    List<String> flags = tracking == null ? List.of("off") : flags(tracking);
    Collection<String> prefixes = tracking == null ? List.of() : tracking.prefixes();
    reply.map(3);
    reply.bulk("flags");
    reply.set(flags.size());
    flags.forEach(reply::bulk);
    reply.bulk("redirect");
    reply.integer(session.trackingRedirect());
    reply.bulk("prefixes");
    reply.array(prefixes.size());
    prefixes.forEach(reply::bulk);
  }

  private static List<String> flags(ClientTracking tracking) {
    TrackingOptions options = tracking.options();
    List<String> flags = new ArrayList<>(List.of("on"));
    addIf(flags, "bcast", options.broadcast());
    addIf(flags, "optin", options.optIn());
    addIf(flags, "caching-yes", options.optIn() && tracking.isCaching());
    addIf(flags, "optout", options.optOut());
    addIf(flags, "caching-no", options.optOut() && tracking.isCaching());
    addIf(flags, "noloop", options.noLoop());
    addIf(flags, "broken_redirect", tracking.isRedirectBroken());
    return flags;
  }

  private static void addIf(List<String> flags, String flag, boolean condition) {
    if (condition) {
      flags.add(flag);
    }
  }
}
