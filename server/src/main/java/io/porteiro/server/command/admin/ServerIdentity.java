package io.porteiro.server.command.admin;

import io.porteiro.server.hash.SystemRandom;
import java.util.HexFormat;

/**
 * What tells this run of the server from others.
 *
 * @param runId 40 hexadecimal digits, random
 * @param replicationId 40 hexadecimal digits, random: of the data's history
 * @param startedAtMs Unix milliseconds
 */
public record ServerIdentity(String runId, String replicationId, long startedAtMs) {
  private static final int ID_BYTES = 20;

  /** A new run. */
  public static ServerIdentity create(long nowMs) {
    return new ServerIdentity(randomId(), randomId(), nowMs);
  }

  private static String randomId() {
    return HexFormat.of().formatHex(SystemRandom.bytes(ID_BYTES));
  }
}
