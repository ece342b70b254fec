package io.porteiro.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.porteiro.server.config.ServerConfig;
import io.porteiro.server.net.tls.TlsContexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets on which connections are accepted: those of {@code port} and {@code tls-port}, the
 * Unix socket.
 */
final class Listeners {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(NetworkServer.MAX_OUTPUT_BYTES / 4, NetworkServer.MAX_OUTPUT_BYTES);

  private final NetworkServer server;
  private final Transport transport;
  private final EventLoopGroup acceptors;
  private final EventLoopGroup group;
  private final TcpSockets plain;
  private final TcpSockets encrypted;
  private @Nullable Channel unix;
  private @Nullable Path unixPath;

  Listeners(
      NetworkServer server, Transport transport, EventLoopGroup acceptors, EventLoopGroup group) {
    this.server = server;
    this.transport = transport;
    this.acceptors = acceptors;
    this.group = group;
    this.plain = tcp(config()::port, null);
    this.encrypted = tcp(config().tls()::port, server.tls());
  }

  private TcpSockets tcp(IntSupplier port, @Nullable TlsContexts tls) {
    ServerBootstrap bootstrap =
        bootstrap(new ConnectionAcceptor(server, transport, null, tls)).channel(transport.tcp());
    return new TcpSockets(config(), port, bootstrap);
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
      plain.open();
      encrypted.open();
      openUnix();
    } catch (IOException e) {
      close();
      throw e;
    }
    if (plain.isEmpty() && encrypted.isEmpty() && unix == null) {
      throw new IOException(
          "there is no address to listen on: see bind, port, tls-port and unixsocket");
    }
  }

  /**
   * Closes the sockets of {@code port} and opens those that the configuration now names, as do the
   * next two. Not on the loop that accepts.
   */
  void reopenPlain() throws IOException {
    plain.close();
    plain.open();
  }

  void reopenEncrypted() throws IOException {
    encrypted.close();
    encrypted.open();
  }

  void reopenTcp() throws IOException {
    reopenPlain();
    reopenEncrypted();
  }

  private ServerBootstrap bootstrap(ConnectionAcceptor acceptor) {
    return new ServerBootstrap()
        .group(acceptors, group)
        .option(ChannelOption.SO_BACKLOG, config().tcpBacklog())
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .childHandler(acceptor);
  }

  static Channel await(ChannelFuture binding) throws IOException {
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
      unix = await(unixBootstrap(path).bind(transport.unixAddress(path)));
    } catch (IOException e) {
      throw new IOException("Failed opening Unix socket: " + path + ": " + e.getMessage(), e);
    }
    unixPath = file;
    setPermissions(file, config().unixsocketperm());
    log.info("Listening on Unix socket {}", path);
  }

  private ServerBootstrap unixBootstrap(String path) {
    return bootstrap(new ConnectionAcceptor(server, transport, path, null))
        .channel(transport.unix());
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

  void close() {
    plain.close();
    encrypted.close();
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
