package io.porteiro.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;

/**
 * Stands before the handler that encrypts and keeps the end of the client's input back until the
 * handshake is done.
 *
 * <p>A client may send the last part of its handshake, requests and the end of its side at once.
 * Certificates are checked on another thread, and what has come meanwhile waits, still encrypted,
 * in {@link SslHandler}; when the end of the input overtakes the check, Netty drops it.
 */
final class HandshakeInput extends ChannelInboundHandlerAdapter {
  /** For the rest of a handshake of a client that cannot send any more. */
  private static final long PATIENCE_MS = 1000;

  private final SslHandler encryption;
  private boolean hasBegun;

  HandshakeInput(SslHandler encryption) {
    this.encryption = encryption;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    hasBegun = true;
    context.fireChannelRead(message);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (!(event instanceof ChannelInputShutdownEvent) || encryption.handshakeFuture().isDone()) {
      context.fireUserEventTriggered(event);
    } else if (hasBegun) {
      awaitHandshake(context, event);
    } else {
      context.close(); // a probe of the port, most likely
    }
  }

  private void awaitHandshake(ChannelHandlerContext context, Object event) {
    // Queued: what waits is decrypted in the same turn, after the listeners were called.
    encryption
        .handshakeFuture()
        .addListener(
            done -> context.executor().execute(() -> context.fireUserEventTriggered(event)));
    context.executor().schedule(() -> giveUp(context), PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  private void giveUp(ChannelHandlerContext context) {
    if (!encryption.handshakeFuture().isDone()) {
      context.close();
    }
  }
}
