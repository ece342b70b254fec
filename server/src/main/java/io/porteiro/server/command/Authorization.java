package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.access.Denial;
import io.porteiro.server.access.Rights;
import io.porteiro.server.access.Selector;
import java.util.List;

/**
 * Whether the rights of a user permit a command with its arguments. The verdict is a number, so
 * that asking costs no object: {@link #PERMITTED}, or the reason and the argument that is at fault,
 * the more telling of two verdicts being the larger.
 */
public final class Authorization {
  public static final long PERMITTED = -1;

  private static final int MAX_FIRST_ARGUMENT_BYTES = 1024;

  private Authorization() {}

  /** Why, if the verdict is not {@link #PERMITTED}. */
  public static Denial denial(long verdict) {
    return Denial.ofRank((int) (verdict >>> 32));
  }

  /** Index of the argument that is denied: the command's name, a key or a channel. */
  public static int argument(long verdict) {
    return (int) verdict;
  }

  private static long denied(Denial denial, int argument) {
    return (long) denial.rank() << 32 | argument;
  }

  /**
   * One selector must permit all of the command.
   *
   * @param first index of the command's name among the request's arguments
   */
  public static long check(Rights rights, CommandSpec spec, Request request, int first) {
    if (rights.isUnrestricted()) {
      return PERMITTED;
    }
    List<Selector> selectors = rights.selectors();
    long verdict = denied(Denial.COMMAND, first);
    for (int i = 0; i < selectors.size(); i++) {
      long one = check(selectors.get(i), spec, request, first);
      if (one == PERMITTED) {
        return PERMITTED;
      }
      verdict = Math.max(verdict, one);
    }
    return verdict;
  }

  private static long check(Selector selector, CommandSpec spec, Request request, int first) {
    if (!permitsCommand(selector, spec, request, first)) {
      return denied(Denial.COMMAND, first);
    }
    long keys = selector.allowsAllKeys() ? PERMITTED : checkKeys(selector, spec, request, first);
    return keys != PERMITTED || selector.allowsAllChannels()
        ? keys
        : checkChannels(selector, spec, request, first);
  }

  /** AUTH, HELLO, QUIT and RESET are everyone's. */
  private static boolean permitsCommand(
      Selector selector, CommandSpec spec, Request request, int first) {
    return selector.allowsCommand(spec.id())
        || spec.has(CommandFlag.NO_AUTH)
        || (selector.hasFirstArguments(spec.id())
            && permitsFirstArgument(selector, spec, request, first + 1));
  }

  private static boolean permitsFirstArgument(
      Selector selector, CommandSpec spec, Request request, int index) {
    return index < request.count()
        && request.length(index) <= MAX_FIRST_ARGUMENT_BYTES
        && selector.allowsFirstArgument(spec.id(), request.text(index));
  }

  private static long checkKeys(Selector selector, CommandSpec spec, Request request, int first) {
    List<KeySpec> all = spec.keySpecs();
    for (int i = 0; i < all.size(); i++) {
      KeySpec keys = all.get(i);
      long verdict = keys.isKey() ? checkKeys(selector, spec, keys, request, first) : PERMITTED;
      if (verdict != PERMITTED) {
        return verdict;
      }
    }
    return PERMITTED;
  }

  private static long checkKeys(
      Selector selector, CommandSpec spec, KeySpec keys, Request request, int first) {
    List<String> flags = KeyRights.flags(spec, keys, request, first);
    boolean read = KeyRights.reads(spec, flags);
    boolean write = KeyRights.writes(spec, flags);
    int last = first + keys.lastIndex(request.count() - first);
    for (int i = first + keys.first(request, first); i <= last; i += keys.step()) {
      if (!selector.allowsKey(request.address(i), request.length(i), read, write)) {
        return denied(Denial.KEY, i);
      }
    }
    return PERMITTED;
  }

  private static long checkChannels(
      Selector selector, CommandSpec spec, Request request, int first) {
    ChannelUse use = spec.channelUse();
    int last =
        switch (use) {
          case NONE -> first;
          case PUBLISH -> first + 1;
          case SUBSCRIBE, SUBSCRIBE_PATTERNS -> request.count() - 1;
        };
    for (int i = first + 1; i <= last; i++) {
      if (!permitsChannel(selector, use, request, i)) {
        return denied(Denial.CHANNEL, i);
      }
    }
    return PERMITTED;
  }

  private static boolean permitsChannel(
      Selector selector, ChannelUse use, Request request, int index) {
    return use == ChannelUse.SUBSCRIBE_PATTERNS
        ? selector.allowsChannelPattern(request.text(index))
        : selector.allowsChannel(request.bytes(index));
  }
}
