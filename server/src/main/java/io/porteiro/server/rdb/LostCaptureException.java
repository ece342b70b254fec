package io.porteiro.server.rdb;

import java.io.IOException;

/** What a captured value was is not known any more: there was no memory to keep it. */
public final class LostCaptureException extends IOException {
  private static final long serialVersionUID = 1L;

  LostCaptureException() {
    super("no memory to keep what was captured");
  }
}
