package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import java.util.function.Consumer;

/** The other side of a log that is executed: there is none. */
final class ReplayPeer implements Peer {
  @Override
  public String address() {
    return "";
  }

  @Override
  public String localAddress() {
    return "";
  }

  @Override
  public boolean isUnixSocket() {
    return false;
  }

  @Override
  public int fileDescriptor() {
    return -1;
  }

  @Override
  public long inputBytes() {
    return 0;
  }

  @Override
  public long outputBytes() {
    return 0;
  }

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public void close() {}

  @Override
  public void closeAfterReply() {}

  /** A log holds what was done, so the command has nothing to wait for. */
  @Override
  public DeferredReply answerLater() {
    return reply -> {};
  }

  @Override
  public void push(Consumer<ReplyWriter> message, long journalPosition) {}

  @Override
  public void authenticationChanged(boolean authenticated) {}
}
