package io.porteiro.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.porteiro.server.config.BindAddress;
import io.porteiro.server.config.ServerConfig;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sockets of one port, on all addresses of {@code bind}. */
final class TcpSockets {
  private static final Logger log = LoggerFactory.getLogger(TcpSockets.class);

  private final ServerConfig config;
  private final IntSupplier port;
  private final ServerBootstrap bootstrap;
  private final List<Channel> channels = new ArrayList<>();

  /**
   * @param port asked each time they are opened; 0 is none
   */
  TcpSockets(ServerConfig config, IntSupplier port, ServerBootstrap bootstrap) {
    this.config = config;
    this.port = port;
    this.bootstrap =
        bootstrap
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true);
  }

  /**
   * Opens all of them.
   *
   * @throws IOException if one that is not optional cannot be opened; the others are closed then
   */
  void open() throws IOException {
    int number = port.getAsInt();
    if (number == 0) {
      return;
    }
    try {
      for (BindAddress address : BindAddress.all(config.bind())) {
        bind(address, number);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void bind(BindAddress address, int number) throws IOException {
    try {
      channels.add(Listeners.await(bootstrap.bind(address.socketAddress(number))));
      log.info("Listening on {} port {}", address.host(), number);
    } catch (IOException e) {
      if (isInUse(e) || !address.optional()) {
        throw cannotListen(address, number, e);
      }
      log.info("Not listening on {} port {}: {}", address.host(), number, e.getMessage());
      if (address.host().equals(BindAddress.ALL_IPV6) && config.bind().contains("*")) {
        bind(BindAddress.of(BindAddress.ALL_IPV4), number);
      }
    }
  }

  private static IOException cannotListen(BindAddress address, int number, IOException cause) {
    String reason =
        cause instanceof UnknownHostException
            ? "Name or service not known"
            : String.valueOf(cause.getMessage());
    return new IOException(
        "Could not create server TCP listening socket "
            + address.host()
            + ":"
            + number
            + ": "
            + reason,
        cause);
  }

  private static boolean isInUse(IOException e) {
    return String.valueOf(e.getMessage()).contains("in use");
  }

  boolean isEmpty() {
    return channels.isEmpty();
  }

  void close() {
    channels.forEach(channel -> channel.close().awaitUninterruptibly());
    channels.clear();
  }
}
