package io.porteiro.server.rdb;

/** An encoding that lies in memory as a whole: a DUMP payload. */
final class MemoryRdbInput extends RdbInput {
  MemoryRdbInput(long address, long length) {
    super(length);
    window(address, length);
  }

  @Override
  void refill() {
    throw new IllegalStateException("the window is all there is");
  }

  @Override
  void readPastWindow(long to, long length) {
    throw new IllegalStateException("the window is all there is");
  }
}
