package io.porteiro.server.command.connection;

import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.ClientTracking;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Session;
import io.porteiro.server.command.TrackingOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of CLIENT TRACKING, and which of them go together. */
final class TrackingArguments {
  private static final String BEFORE_DISABLING =
      " before disabling tracking for this client, and then re-enabling it with a different"
          + " mode.";

  private final List<String> prefixes = new ArrayList<>();
  private long redirect;
  private boolean broadcast;
  private boolean optIn;
  private boolean optOut;
  private boolean noLoop;

  private TrackingArguments() {}

  static TrackingArguments parse(CommandContext context) {
    TrackingArguments options = new TrackingArguments();
    while (context.arguments().hasNext()) {
      options.parseNext(context, context.arguments());
    }
    return options;
  }

  private void parseNext(CommandContext context, Arguments arguments) {
    if (arguments.remaining() > 1 && arguments.accept("REDIRECT")) {
      parseRedirect(context, arguments);
    } else if (arguments.remaining() > 1 && arguments.accept("PREFIX")) {
      prefixes.add(arguments.nextText());
    } else if (arguments.accept("BCAST")) {
      broadcast = true;
    } else if (arguments.accept("OPTIN")) {
      optIn = true;
    } else if (arguments.accept("OPTOUT")) {
      optOut = true;
    } else if (arguments.accept("NOLOOP")) {
      noLoop = true;
    } else {
      throw Errors.syntax();
    }
  }

  /** The other client must be there now; that it stays is not promised. */
  private void parseRedirect(CommandContext context, Arguments arguments) {
    check(redirect == 0, "A client can only redirect to a single other client");
    redirect = arguments.nextLong();
    check(
        context.services().clients().byId(redirect) != null,
        "The client ID you want redirect to does not exist");
  }

  /**
   * The options for a client.
   *
   * @throws CommandException if they do not go together, or not with those that the client has
   */
  TrackingOptions checked(Session session) {
    ClientTracking before = session.tracking();
    check(broadcast || prefixes.isEmpty(), "PREFIX option requires BCAST mode to be enabled");
    check(
        before == null || before.options().broadcast() == broadcast,
        "You can't switch BCAST mode on/off" + BEFORE_DISABLING);
    check(!broadcast || !(optIn || optOut), "OPTIN and OPTOUT are not compatible with BCAST");
    check(!optIn || !optOut, "You can't specify both OPTIN mode and OPTOUT mode");
    check(
        before == null || !isSwitch(before.options()),
        "You can't switch OPTIN/OPTOUT mode" + BEFORE_DISABLING);
    checkPrefixes(before);
    return new TrackingOptions(redirect, broadcast, List.copyOf(prefixes), optIn, optOut, noLoop);
  }

  private boolean isSwitch(TrackingOptions before) {
    return (optIn && before.optOut()) || (optOut && before.optIn());
  }

  /** A key with two prefixes of one client would be told twice. */
  private void checkPrefixes(@Nullable ClientTracking before) {
    Collection<String> existing = before == null ? List.of() : before.prefixes();
    int first = PrefixOverlaps.first(prefixes, existing);
    if (first >= 0) {
      String prefix = prefixes.get(first);
      checkPrefix(prefix, existing, "an existing");
      checkPrefix(prefix, prefixes.subList(first + 1, prefixes.size()), "another provided");
    }
  }

  private static void checkPrefix(String prefix, Collection<String> others, String which) {
    for (String other : others) {
      check(
          !prefix.startsWith(other) && !other.startsWith(prefix),
          "Prefix '%s' overlaps with %s prefix '%s'. Prefixes for a single client must not overlap."
              .formatted(prefix, which, other));
    }
  }

  private static void check(boolean condition, String error) {
    if (!condition) {
      throw new CommandException("ERR " + error);
    }
  }
}
