package io.porteiro.server.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.porteiro.server.net.tls.TlsContexts;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lets a new connection in, or tells it why not. */
@Sharable
final class ConnectionAcceptor extends ChannelInitializer<Channel> {
  private static final String TOO_MANY = "-ERR max number of clients reached\r\n";

  /** Clients show it to people, so it is Redis's text, which they can look up. */
  private static final String PROTECTED =
      "-DENIED Redis is running in protected mode because protected mode is enabled and no password"
          + " is set for the default user. In this mode connections are only accepted from the"
          + " loopback interface. If you want to connect from external computers to Redis you may"
          + " adopt one of the following solutions: 1) Just disable protected mode sending the"
          + " command 'CONFIG SET protected-mode no' from the loopback interface by connecting to"
          + " Redis from the same host the server is running, however MAKE SURE Redis is not"
          + " publicly accessible from internet if you do so. Use CONFIG REWRITE to make this"
          + " change permanent. 2) Alternatively you can just disable the protected mode by editing"
          + " the Redis configuration file, and setting the protected mode option to 'no', and then"
          + " restarting the server. 3) If you started the server manually just for testing,"
          + " restart it with the '--protected-mode no' option. 4) Set up an authentication"
          + " password for the default user. NOTE: You only need to do one of the above things in"
          + " order for the server to start accepting connections from the outside.\r\n";

  private static final Refused REFUSED = new Refused();

  private final NetworkServer server;
  private final Transport transport;
  private final @Nullable String unixPath;
  private final @Nullable TlsContexts tls;

  /**
   * @param unixPath of the socket that accepts, null for TCP
   * @param tls encrypts the connections; null: they are plain
   */
  ConnectionAcceptor(
      NetworkServer server,
      Transport transport,
      @Nullable String unixPath,
      @Nullable TlsContexts tls) {
    this.server = server;
    this.transport = transport;
    this.unixPath = unixPath;
    this.tls = tls;
  }

  @Override
  protected void initChannel(Channel channel) {
    server.metrics().connectionReceived();
    if (!server.clients().tryEnter(server.config().maxclients())) {
      refuseForWantOfPlace(channel);
    } else if (isForbidden(channel)) {
      server.clients().leave();
      encrypt(channel);
      refuse(channel, PROTECTED);
    } else {
      accept(channel);
    }
  }

  private void accept(Channel channel) {
    int keepAliveSeconds = server.config().tcpKeepalive();
    if (unixPath == null && keepAliveSeconds > 0) {
      transport.keepAlive(channel, keepAliveSeconds);
    }
    SslHandler encryption = encrypt(channel);
    ConnectionLoop loop = server.loop(channel.eventLoop());
    Connection connection = new Connection(channel, loop, server, unixPath, encryption);
    channel.pipeline().addLast(connection);
    connection.enter();
  }

  private boolean isForbidden(Channel channel) {
    return server.config().protectedMode()
        && server.defaultUser().rights().isNopass()
        && unixPath == null
        && !SocketNames.isLoopback(channel.remoteAddress());
  }

  /** Before all other handlers; null if connections are plain. */
  private @Nullable SslHandler encrypt(Channel channel) {
    if (tls == null) {
      return null;
    }
    SslHandler encryption = tls.serverHandler(channel.alloc());
    channel.pipeline().addLast(new HandshakeInput(encryption), encryption);
    return encryption;
  }

  /** A place that is not there is not worth a handshake: encrypted connections just end. */
  private void refuseForWantOfPlace(Channel channel) {
    if (tls == null) {
      refuse(channel, TOO_MANY);
    } else {
      server.metrics().connectionRejected();
      channel.close();
    }
  }

  private void refuse(Channel channel, String error) {
    server.metrics().connectionRejected();
    channel.pipeline().addLast(REFUSED);
    channel
        .writeAndFlush(Unpooled.copiedBuffer(error, StandardCharsets.ISO_8859_1))
        .addListener(ChannelFutureListener.CLOSE);
  }

  /** Drops what comes; failures are of no interest any more. */
  @Sharable
  private static final class Refused extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
