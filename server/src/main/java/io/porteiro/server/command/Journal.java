package io.porteiro.server.command;

/** The ordered stream of effects that feeds the append-only log and replicas. */
public interface Journal {
  /** A server without a log and without replicas. */
  Journal NONE =
      new Journal() {
        @Override
        public boolean isActive() {
          return false;
        }

        @Override
        public long append(Effects unit) {
          return 0;
        }
      };

  /** Whether effects need to be collected at all. */
  boolean isActive();

  /**
   * Takes the effects of one scope as one unit: several are put between MULTI and EXEC, SELECT
   * included. Never blocks. Called with the shards still locked; the memory behind the effects is
   * the caller's.
   *
   * @return the position behind the unit
   */
  long append(Effects unit);
}
