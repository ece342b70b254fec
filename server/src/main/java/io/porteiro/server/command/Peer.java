package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import java.util.function.Consumer;

/** The network's side of a session. */
public interface Peer {
  /** Address and port, or path of the Unix socket, as CLIENT LIST shows it. */
  String address();

  String localAddress();

  boolean isUnixSocket();

  /** Number of the socket as CLIENT LIST shows it. */
  int fileDescriptor();

  /** Bytes read but not yet executed. */
  long inputBytes();

  /** Bytes of replies not yet taken by the kernel. */
  long outputBytes();

  /** What it takes without any buffers, about. */
  default long objectBytes() {
    return 0;
  }

  /** All that it holds: buffers and objects. */
  long memoryBytes();

  /** Drops the connection now, with what was not yet sent. Any thread. */
  void close();

  /**
   * Closes when the replies written so far are sent; later requests are not executed. Own event
   * loop.
   */
  void closeAfterReply();

  /** Stops reading until the reply is given. Own event loop; at most one at a time. */
  DeferredReply answerLater();

  /** Writes something that is no reply and tells of no change of data. Any thread. */
  default void push(Consumer<ReplyWriter> message) {
    push(message, 0);
  }

  /**
   * Writes something that is no reply: a message, an invalidation. Any thread.
   *
   * @param journalPosition that it has to wait for
   */
  void push(Consumer<ReplyWriter> message, long journalPosition);

  /** Tells the request decoder of a login or its loss: requests are bounded closer before it. */
  void authenticationChanged(boolean authenticated);
}
