package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import java.util.function.Consumer;

/** The reply of a command that answers later. Its connection is not read from until it has. */
public interface DeferredReply {
  /** Writes the reply on the connection's event loop and reads on. From any thread, once. */
  void complete(Consumer<ReplyWriter> reply);
}
