package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.server.memory.OffHeap;
import java.util.List;

/** What a command does to its keys, where that depends on its arguments or on who wrote it. */
public final class KeyRights {
  private static final List<String> ONLY_OVERWRITES = List.of("OW", "update");

  private KeyRights() {}

  /**
   * The flags of a key specification for one request.
   *
   * @param first index of the command's name among the request's arguments
   */
  public static List<String> flags(CommandSpec spec, KeySpec keys, Request request, int first) {
    if (!keys.flags().contains("variable_flags")) {
      return keys.flags();
    }
    if (spec.name().equals("set") && !hasGet(request, first + 3)) {
      return ONLY_OVERWRITES;
    }
    return keys.flags().stream().filter(flag -> !flag.equals("variable_flags")).toList();
  }

  /** SET without GET only overwrites. */
  private static boolean hasGet(Request request, int from) {
    for (int i = from; i < request.count(); i++) {
      if (request.length(i) == 3 && isGet(request.address(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isGet(long address) {
    return (OffHeap.getByte(address) | 0x20) == 'g'
        && (OffHeap.getByte(address + 1) | 0x20) == 'e'
        && (OffHeap.getByte(address + 2) | 0x20) == 't';
  }

  /** Whether the right to read the keys is needed. */
  static boolean reads(CommandSpec spec, List<String> flags) {
    return flags.contains("access") || (isVague(spec, flags) && spec.has(CommandFlag.READONLY));
  }

  /** Whether the right to write the keys is needed. */
  static boolean writes(CommandSpec spec, List<String> flags) {
    return hasChange(flags) || (isVague(spec, flags) && spec.has(CommandFlag.WRITE));
  }

  private static boolean hasChange(List<String> flags) {
    return flags.contains("update") || flags.contains("insert") || flags.contains("delete");
  }

  /**
   * The Bloom module does not say what its commands do to keys, and Redis lets whoever has any
   * right on a key use all of them. Here what the command is decides.
   */
  private static boolean isVague(CommandSpec spec, List<String> flags) {
    return spec.has(CommandFlag.MODULE) && !flags.contains("access") && !hasChange(flags);
  }
}
