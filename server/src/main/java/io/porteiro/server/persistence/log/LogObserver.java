package io.porteiro.server.persistence.log;

/** Is told how long the disk took. Any thread. */
@FunctionalInterface
public interface LogObserver {
  /**
   * Takes a latency.
   *
   * @param event Redis's name of the event, as {@code aof-fsync-always}
   */
  void took(String event, long nanos);

  /** The log was synced, whatever the policy. */
  default void synced(long nanos) {}
}
