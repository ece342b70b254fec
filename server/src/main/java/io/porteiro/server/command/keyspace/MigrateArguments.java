package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.Request;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.memory.OffHeap;
import java.util.List;

/** What MIGRATE was asked for: {@code host port key|"" db timeout [options] [KEYS key ...]}. */
final class MigrateArguments {
  private static final int HOST = 1;
  private static final int PORT = 2;
  private static final int KEY = 3;
  private static final int DATABASE = 4;
  private static final int TIMEOUT = 5;
  private static final int OPTIONS = 6;
  private static final int DEFAULT_TIMEOUT_MS = 1000;

  /** The key has a place of its own; where that is empty, keys follow a word at the end. */
  static final List<KeySpec> KEYS =
      List.of(
          KeySpec.one(KEY, "RW", "access", "delete").foundBy(MigrateArguments::single),
          KeySpec.behind("KEYS", -2, "RW", "access", "delete", "incomplete")
              .foundBy(MigrateArguments::several));

  private final String host;
  private final int port;
  private final long database;
  private final int timeoutMs;
  private boolean copy;
  private boolean replace;
  private List<byte[]> login = List.of();
  private int firstKey = KEY;
  private int keyCount = 1;

  /**
   * Takes the arguments apart.
   *
   * @throws CommandException for wrong ones
   */
  MigrateArguments(Arguments arguments) {
    for (int i = HOST; i < OPTIONS; i++) {
      arguments.skip();
    }
    while (arguments.hasNext()) {
      parseOption(arguments);
    }
    host = arguments.textAt(HOST);
    port = port(arguments.textAt(PORT));
    long timeout = arguments.longAt(TIMEOUT, Errors.NOT_AN_INTEGER);
    database = arguments.longAt(DATABASE, Errors.NOT_AN_INTEGER);
    timeoutMs = timeout <= 0 ? DEFAULT_TIMEOUT_MS : (int) Math.min(timeout, Integer.MAX_VALUE);
  }

  /** What is no number is port 0, to which nobody listens. */
  private static int port(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private void parseOption(Arguments arguments) {
    if (arguments.accept("COPY")) {
      copy = true;
    } else if (arguments.accept("REPLACE")) {
      replace = true;
    } else if (arguments.accept("AUTH")) {
      login = List.of(arguments.nextBytes());
    } else if (arguments.accept("AUTH2")) {
      login = List.of(arguments.nextBytes(), arguments.nextBytes());
    } else if (arguments.accept("KEYS")) {
      takeKeys(arguments);
    } else {
      throw Errors.syntax();
    }
  }

  private void takeKeys(Arguments arguments) {
    if (arguments.lengthAt(KEY) != 0) {
      throw new CommandException(
          "ERR When using MIGRATE KEYS option, the key argument must be set to the empty string");
    }
    firstKey = arguments.index();
    keyCount = arguments.remaining();
    while (arguments.hasNext()) {
      arguments.skip();
    }
  }

  private static int single(Request request, int command) {
    boolean none = request.length(command + KEY) == 0 && several(request, command) != KeySpec.NONE;
    return none ? KeySpec.NONE : KEY;
  }

  /** The word KEYS may also be a password: options are passed over with what belongs to them. */
  private static int several(Request request, int command) {
    int count = request.count() - command;
    for (int i = OPTIONS; i < count; i++) {
      if (isWord(request, command + i, "keys")) {
        return request.length(command + KEY) == 0 && i + 1 < count ? i + 1 : KeySpec.NONE;
      }
      i += isWord(request, command + i, "auth") ? 1 : 0;
      i += isWord(request, command + i, "auth2") ? 2 : 0;
    }
    return KeySpec.NONE;
  }

  private static boolean isWord(Request request, int index, String lower) {
    if (index >= request.count() || request.length(index) != lower.length()) {
      return false;
    }
    for (int i = 0; i < lower.length(); i++) {
      if ((OffHeap.getByte(request.address(index) + i) | 0x20) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  String host() {
    return host;
  }

  /** Not always a port. */
  int port() {
    return port;
  }

  long database() {
    return database;
  }

  /** For each single wait. */
  int timeoutMs() {
    return timeoutMs;
  }

  /** Whether the keys stay here. */
  boolean isCopy() {
    return copy;
  }

  /** Whether keys of the same name over there are lost. */
  boolean isReplace() {
    return replace;
  }

  /** Password, or user and password, or nothing. */
  List<byte[]> login() {
    return login;
  }

  /** Index of the first key. */
  int firstKey() {
    return firstKey;
  }

  int keyCount() {
    return keyCount;
  }
}
