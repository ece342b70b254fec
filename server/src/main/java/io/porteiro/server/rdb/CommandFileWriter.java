package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import java.io.IOException;

/** Writes a snapshot as the commands that make the data, which is how a log may begin. */
public final class CommandFileWriter implements SnapshotFormat {
  private final RdbOutput out;
  private final CommandWriter entries = new CommandWriter();

  public CommandFileWriter(RdbOutput out) {
    this.out = out;
  }

  @Override
  public long maxBytes(byte[] key, Value value) {
    return entries.maxBytes(key, value);
  }

  @Override
  public void entry(byte[] key, long expireAtMs, Value value) throws IOException {
    entries.write(out, key, expireAtMs, value);
  }

  @Override
  public void entry(CapturedEntry entry) throws IOException {
    entries.write(out, entry);
  }

  @Override
  public void selectDatabase(int number, long keys, long expiringKeys) throws IOException {
    entries.select(out, number);
  }

  @Override
  public void finish(boolean checksum) throws IOException {
    out.flush();
  }
}
