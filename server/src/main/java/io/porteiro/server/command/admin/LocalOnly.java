package io.porteiro.server.command.admin;

import io.porteiro.server.command.Peer;
import io.porteiro.server.command.Session;

/** The permissions {@code no}, {@code yes} and {@code local} of the {@code enable-...} settings. */
final class LocalOnly {
  private LocalOnly() {}

  static boolean permits(String permission, Session session) {
    return permission.equals("yes") || (permission.equals("local") && isLocal(session.peer()));
  }

  private static boolean isLocal(Peer peer) {
    String address = peer.address();
    return peer.isUnixSocket() || address.startsWith("127.") || address.startsWith("[::1]");
  }

  /** Redis's words where it is not permitted. */
  static String refusal(String command, String setting) {
    return "ERR "
        + command
        + " command not allowed. If the "
        + setting
        + " option is set to \"local\", you can run it from a local connection, otherwise you need"
        + " to set this option in the configuration file, and then restart the server.";
  }
}
