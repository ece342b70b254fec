package io.porteiro.server;

import io.porteiro.server.command.admin.Observation;
import io.porteiro.server.metrics.DiskSyncs;
import io.porteiro.server.persistence.log.LogObserver;

/** Tells those who watch for slow events, and those who measure, how long the disk took. */
record LogTimes(Observation observation, DiskSyncs syncs) implements LogObserver {
  @Override
  public void took(String event, long nanos) {
    observation.took(event, nanos);
  }

  @Override
  public void synced(long nanos) {
    syncs.synced(nanos);
  }
}
