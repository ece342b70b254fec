package io.porteiro.server.persistence;

import java.nio.file.Path;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loading under way, which says now and then how far it is. */
final class Loading {
  private static final Logger log = LoggerFactory.getLogger(Loading.class);
  private static final long LOG_EVERY_MS = 2_000;

  private final InstantSource clock;
  private final Path path;
  private final LoadProgress progress;
  private long nextLogMs;

  Loading(InstantSource clock, Path path, LoadProgress progress) {
    this.clock = clock;
    this.path = path;
    this.progress = progress;
    this.nextLogMs = clock.millis() + LOG_EVERY_MS;
  }

  void advance(long loadedBytes) {
    progress.setLoadedBytes(loadedBytes);
    long now = clock.millis();
    if (now >= nextLogMs) {
      nextLogMs = now + LOG_EVERY_MS;
      log.info("Loading {}: {} %", path, (int) progress.percent());
    }
  }
}
