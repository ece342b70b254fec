package io.porteiro.server.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
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

  private final NetworkServer server;
  private final Transport transport;
  private final @Nullable String unixPath;

  /**
   * @param unixPath of the socket that accepts, null for TCP
   */
  ConnectionAcceptor(NetworkServer server, Transport transport, @Nullable String unixPath) {
    this.server = server;
    this.transport = transport;
    this.unixPath = unixPath;
  }

  @Override
  protected void initChannel(Channel channel) {
    server.metrics().connectionReceived();
    if (!server.clients().tryEnter(server.config().maxclients())) {
      refuse(channel, TOO_MANY);
    } else if (isForbidden(channel)) {
      server.clients().leave();
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
    Connection connection = new Connection(channel, server.loop(), server, unixPath);
    channel.pipeline().addLast(connection);
    connection.enter();
  }

  private boolean isForbidden(Channel channel) {
    return server.config().protectedMode()
        && server.config().requirepass().isEmpty()
        && unixPath == null
        && !SocketNames.isLoopback(channel.remoteAddress());
  }

  private void refuse(Channel channel, String error) {
    server.metrics().connectionRejected();
    channel
        .writeAndFlush(Unpooled.copiedBuffer(error, StandardCharsets.ISO_8859_1))
        .addListener(ChannelFutureListener.CLOSE);
  }
}
