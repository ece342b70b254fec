package io.porteiro.server.rdb;

import java.io.IOException;

/** Writes a snapshot as the commands that make the data, which is how a log may begin. */
public final class CommandFileWriter extends SnapshotFormat {
  public CommandFileWriter(RdbOutput out) {
    super(out, new CommandWriter());
  }

  @Override
  public void selectDatabase(int number, long keys, long expiringKeys) throws IOException {
    CommandWriter.select(out, number);
  }

  @Override
  public void finish(boolean checksum) throws IOException {
    out.flush();
  }
}
