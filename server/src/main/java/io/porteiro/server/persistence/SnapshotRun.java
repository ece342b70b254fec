package io.porteiro.server.persistence;

/** A job in the background that runs or waits for its turn. */
record SnapshotRun(SnapshotJob job, SaveProgress progress) {}
