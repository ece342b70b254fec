package io.porteiro.server.store;

import java.util.ArrayList;
import java.util.List;

/** Notes what it is given, and keeps flushed tables if told so. */
final class RecordingCapture implements Capture {
  /** Database and key of each entry captured. */
  final List<String> captured = new ArrayList<>();

  final List<KeyTable> kept = new ArrayList<>();
  private final boolean keeping;

  RecordingCapture(boolean keeping) {
    this.keeping = keeping;
  }

  @Override
  public void capture(int database, Entry entry) {
    captured.add(database + KeyspaceFixture.text(entry.key()));
  }

  @Override
  public boolean keep(KeyTable flushed) {
    if (keeping) {
      kept.add(flushed);
    }
    return keeping;
  }
}
