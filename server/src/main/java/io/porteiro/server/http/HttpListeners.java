package io.porteiro.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.porteiro.server.config.BindAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets on which HTTP connections are accepted. */
final class HttpListeners {
  private static final Logger log = LoggerFactory.getLogger(HttpListeners.class);

  private final EventLoopGroup group;
  private final HttpPipeline pipeline;
  private final List<Channel> open = new ArrayList<>();

  HttpListeners(EventLoopGroup group, HttpPipeline pipeline) {
    this.group = group;
    this.pipeline = pipeline;
  }

  /**
   * Closes what is open and opens these addresses. Not on the event loop of HTTP.
   *
   * @param port 0 opens none
   * @throws IOException with the reason for people, if one that is not optional cannot be opened;
   *     then none is open
   */
  void reopen(List<String> addresses, int port) throws IOException {
    close();
    if (port == 0) {
      return;
    }
    try {
      for (BindAddress address : BindAddress.all(addresses)) {
        bind(address, port, addresses);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void bind(BindAddress address, int port, List<String> all) throws IOException {
    try {
      open.add(await(bootstrap().bind(address.socketAddress(port))));
      log.info("HTTP: listening on {} port {}", address.host(), port);
    } catch (IOException e) {
      if (!address.optional() || String.valueOf(e.getMessage()).contains("in use")) {
        throw new IOException(
            "Could not create HTTP listening socket "
                + address.host()
                + ":"
                + port
                + ": "
                + e.getMessage(),
            e);
      }
      log.info("HTTP: not listening on {} port {}: {}", address.host(), port, e.getMessage());
      if (address.host().equals(BindAddress.ALL_IPV6) && all.contains(BindAddress.ALL_IPV4)) {
        bind(BindAddress.of(BindAddress.ALL_IPV4), port, all);
      }
    }
  }

  private ServerBootstrap bootstrap() {
    return new ServerBootstrap()
        .group(group)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(pipeline);
  }

  private static Channel await(ChannelFuture binding) throws IOException {
    binding.awaitUninterruptibly();
    Throwable failure = binding.cause();
    if (failure != null) {
      throw failure instanceof IOException e ? e : new IOException(failure.getMessage(), failure);
    }
    return binding.channel();
  }

  void close() {
    open.forEach(channel -> channel.close().awaitUninterruptibly());
    open.clear();
  }
}
