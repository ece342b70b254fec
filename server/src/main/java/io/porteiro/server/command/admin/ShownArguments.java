package io.porteiro.server.command.admin;

import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The arguments of a command as a log may keep them: cut, and without passwords. */
final class ShownArguments {
  private static final int MAX_ARGUMENTS = 32;
  private static final int MAX_BYTES = 128;
  static final String REDACTED = "(redacted)";

  private ShownArguments() {}

  static List<String> of(CommandSpec spec, Request request, ServerConfig config) {
    int count = request.count();
    int shown = count > MAX_ARGUMENTS ? MAX_ARGUMENTS - 1 : count;
    List<String> arguments = new ArrayList<>(shown + 1);
    for (int i = 0; i < shown; i++) {
      arguments.add(isSecret(spec, request, i, config) ? REDACTED : cut(request, i));
    }
    if (shown < count) {
      arguments.add("... (" + (count - shown) + " more arguments)");
    }
    return List.copyOf(arguments);
  }

  private static String cut(Request request, int index) {
    int length = request.length(index);
    int shown = Math.min(length, MAX_BYTES);
    byte[] bytes = new byte[shown];
    for (int i = 0; i < shown; i++) {
      bytes[i] = OffHeap.getByte(request.address(index) + i);
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return shown == length ? text : text + "... (" + (length - shown) + " more bytes)";
  }

  /** Whether an argument is a password, or tells of users. */
  static boolean isSecret(CommandSpec spec, Request request, int index, ServerConfig config) {
    return switch (spec.fullName()) {
      case "auth" -> index > 0;
      case "acl|setuser", "acl|deluser", "acl|getuser" -> index > 1;
      case "hello" -> follows(request, index, 1, "auth") || follows(request, index, 2, "auth");
      case "migrate" ->
          index > 6
              && (follows(request, index, 1, "auth")
                  || follows(request, index, 1, "auth2")
                  || follows(request, index, 2, "auth2"));
      case "config|set" ->
          index >= 3 && index % 2 == 1 && config.isSensitive(cut(request, index - 1));
      default -> false;
    };
  }

  private static boolean follows(Request request, int index, int distance, String word) {
    return index - distance > 1
        && cut(request, index - distance).toLowerCase(Locale.ROOT).equals(word);
  }
}
