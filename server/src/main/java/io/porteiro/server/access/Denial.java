package io.porteiro.server.access;

import java.util.Locale;

/** Why something is denied. */
public enum Denial {
  COMMAND(0),
  KEY(1),
  AUTH(2),
  CHANNEL(3);

  private final int rank;

  Denial(int rank) {
    this.rank = rank;
  }

  /** Where several selectors deny a command for different reasons, that of the highest is told. */
  public int rank() {
    return rank;
  }

  public static Denial ofRank(int rank) {
    return switch (rank) {
      case 0 -> COMMAND;
      case 1 -> KEY;
      case 2 -> AUTH;
      case 3 -> CHANNEL;
      default -> throw new IllegalArgumentException("no denial has rank " + rank);
    };
  }

  /** As ACL LOG has it. */
  public String reason() {
    return name().toLowerCase(Locale.ROOT);
  }
}
