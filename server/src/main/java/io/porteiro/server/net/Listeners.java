package io.porteiro.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.porteiro.server.config.ServerConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets on which connections are accepted: all addresses of {@code bind}, the Unix socket.
 */
final class Listeners {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(NetworkServer.MAX_OUTPUT_BYTES / 4, NetworkServer.MAX_OUTPUT_BYTES);

  private final NetworkServer server;
  private final Transport transport;
  private final EventLoopGroup acceptors;
  private final EventLoopGroup group;
  private final List<Channel> tcp = new ArrayList<>();
  private @Nullable Channel unix;
  private @Nullable Path unixPath;

  Listeners(
      NetworkServer server, Transport transport, EventLoopGroup acceptors, EventLoopGroup group) {
    this.server = server;
    this.transport = transport;
    this.acceptors = acceptors;
    this.group = group;
  }

  private ServerConfig config() {
    return server.config();
  }

  /**
   * Opens all of them.
   *
   * @throws IOException if one that is not optional cannot be opened; the others are closed then
   */
  void open() throws IOException {
    try {
      openTcp();
      openUnix();
    } catch (IOException e) {
      close();
      throw e;
    }
    if (tcp.isEmpty() && unix == null) {
      throw new IOException("there is no address to listen on: see bind, port and unixsocket");
    }
  }

  /**
   * Closes the TCP sockets and opens those that the configuration now names. Not on the loop that
   * accepts.
   */
  void reopenTcp() throws IOException {
    closeTcp();
    openTcp();
  }

  private void openTcp() throws IOException {
    int port = config().port();
    if (port == 0) {
      return;
    }
    try {
      for (BindAddress address : BindAddress.all(config().bind())) {
        bind(address, port);
      }
    } catch (IOException e) {
      closeTcp();
      throw e;
    }
  }

  private void bind(BindAddress address, int port) throws IOException {
    try {
      tcp.add(bind(address.socketAddress(port)));
      log.info("Listening on {} port {}", address.host(), port);
    } catch (IOException e) {
      if (isInUse(e) || !address.optional()) {
        throw cannotListen(address, port, e);
      }
      log.info("Not listening on {} port {}: {}", address.host(), port, e.getMessage());
      if (address.host().equals(BindAddress.ALL_IPV6) && config().bind().contains("*")) {
        bind(BindAddress.of(BindAddress.ALL_IPV4), port);
      }
    }
  }

  private static IOException cannotListen(BindAddress address, int port, IOException cause) {
    String reason =
        cause instanceof UnknownHostException
            ? "Name or service not known"
            : String.valueOf(cause.getMessage());
    return new IOException(
        "Could not create server TCP listening socket "
            + address.host()
            + ":"
            + port
            + ": "
            + reason,
        cause);
  }

  private static boolean isInUse(IOException e) {
    return String.valueOf(e.getMessage()).contains("in use");
  }

  private Channel bind(InetSocketAddress address) throws IOException {
    ServerBootstrap bootstrap =
        bootstrap(null)
            .channel(transport.tcp())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true);
    return await(bootstrap.bind(address));
  }

  private ServerBootstrap bootstrap(@Nullable String path) {
    return new ServerBootstrap()
        .group(acceptors, group)
        .option(ChannelOption.SO_BACKLOG, config().tcpBacklog())
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .childHandler(new ConnectionAcceptor(server, transport, path));
  }

  private static Channel await(ChannelFuture binding) throws IOException {
    binding.awaitUninterruptibly();
    Throwable failure = binding.cause();
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return binding.channel();
  }

  private void openUnix() throws IOException {
    String path = config().unixsocket();
    if (path.isEmpty()) {
      return;
    }
    Path file = Path.of(path);
    Files.deleteIfExists(file); // left behind by a process that was killed
    try {
      unix = await(bootstrap(path).channel(transport.unix()).bind(transport.unixAddress(path)));
    } catch (IOException e) {
      throw new IOException("Failed opening Unix socket: " + path + ": " + e.getMessage(), e);
    }
    unixPath = file;
    setPermissions(file, config().unixsocketperm());
    log.info("Listening on Unix socket {}", path);
  }

  private static void setPermissions(Path file, int bits) throws IOException {
    if (bits != 0) {
      Files.setPosixFilePermissions(file, permissions(bits));
    }
  }

  /** The nine lowest bits, as in chmod. */
  static Set<PosixFilePermission> permissions(int bits) {
    PosixFilePermission[] fromHighest = PosixFilePermission.values();
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < fromHighest.length; i++) {
      if ((bits >> (fromHighest.length - 1 - i) & 1) != 0) {
        permissions.add(fromHighest[i]);
      }
    }
    return permissions;
  }

  private void closeTcp() {
    tcp.forEach(channel -> channel.close().awaitUninterruptibly());
    tcp.clear();
  }

  void close() {
    closeTcp();
    if (unix != null) {
      unix.close().awaitUninterruptibly();
      unix = null;
    }
    if (unixPath != null) {
      deleteQuietly(unixPath);
      unixPath = null;
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("Cannot remove the Unix socket {}: {}", file, e.getMessage());
    }
  }
}
