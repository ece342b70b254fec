package io.porteiro.server.persistence.log;

/** {@code appendfsync}: when the log is forced to the disk, and what output waits for. */
public enum FsyncPolicy {
  /** Nothing leaves before the disk has it. */
  ALWAYS,
  /** Once a second, in the background; output waits for the kernel to have it. */
  EVERYSEC,
  /** When the kernel likes. */
  NO;

  /** By the word in the configuration. */
  public static FsyncPolicy named(String word) {
    return switch (word) {
      case "always" -> ALWAYS;
      case "no" -> NO;
      default -> EVERYSEC;
    };
  }
}
