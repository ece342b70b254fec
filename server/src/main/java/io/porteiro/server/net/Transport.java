package io.porteiro.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Locale;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How sockets are read and written: io_uring costs the least CPU, NIO works everywhere. The
 * constants are in order of preference.
 */
enum Transport {
  IO_URING {
    @Override
    @Nullable Throwable obstacle() {
      return IoUring.unavailabilityCause();
    }

    @Override
    IoHandlerFactory handlers() {
      return IoUringIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> tcp() {
      return IoUringServerSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> unix() {
      return IoUringServerDomainSocketChannel.class;
    }

    @Override
    String hint() {
      return " (Docker's default seccomp profile forbids it; see the README on containers)";
    }

    @Override
    KeepAlive keepAlive() {
      return new KeepAlive(
          IoUringChannelOption.TCP_KEEPIDLE,
          IoUringChannelOption.TCP_KEEPINTVL,
          IoUringChannelOption.TCP_KEEPCNT);
    }
  },

  EPOLL {
    @Override
    @Nullable Throwable obstacle() {
      return Epoll.unavailabilityCause();
    }

    @Override
    IoHandlerFactory handlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> tcp() {
      return EpollServerSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> unix() {
      return EpollServerDomainSocketChannel.class;
    }

    @Override
    KeepAlive keepAlive() {
      return new KeepAlive(
          EpollChannelOption.TCP_KEEPIDLE,
          EpollChannelOption.TCP_KEEPINTVL,
          EpollChannelOption.TCP_KEEPCNT);
    }
  },

  NIO {
    @Override
    @Nullable Throwable obstacle() {
      return null;
    }

    @Override
    IoHandlerFactory handlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    Class<? extends ServerChannel> tcp() {
      return NioServerSocketChannel.class;
    }

    @Override
    Class<? extends ServerChannel> unix() {
      return NioServerDomainSocketChannel.class;
    }

    @Override
    SocketAddress unixAddress(String path) {
      return UnixDomainSocketAddress.of(path);
    }

    @Override
    KeepAlive keepAlive() {
      return new KeepAlive(
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE),
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL),
          NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT));
    }
  };

  /** Seconds of silence before the first probe, seconds between probes, probes before the end. */
  record KeepAlive(
      ChannelOption<Integer> idle, ChannelOption<Integer> interval, ChannelOption<Integer> count) {}

  private static final Logger log = LoggerFactory.getLogger(Transport.class);
  private static final int KEEP_ALIVE_PROBES = 3;

  /** Why this machine cannot use it, or null. */
  abstract @Nullable Throwable obstacle();

  abstract IoHandlerFactory handlers();

  abstract Class<? extends ServerChannel> tcp();

  abstract Class<? extends ServerChannel> unix();

  abstract KeepAlive keepAlive();

  SocketAddress unixAddress(String path) {
    return new DomainSocketAddress(path);
  }

  /** The name as in the configuration. */
  String configName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The transport of a name as in {@code io-transport}, or with {@code auto} the best that this
   * machine can use.
   *
   * @throws IOException if the named one cannot be used here
   */
  static Transport choose(String name) throws IOException {
    for (Transport transport : values()) {
      Throwable obstacle = transport.obstacle();
      if (name.equals("auto") && obstacle == null) {
        log.info("Transport {}: the best that works here", transport.configName());
        return transport;
      }
      if (name.equals(transport.configName())) {
        return transport.named(obstacle);
      }
      log.debug("Transport {} cannot be used", transport.configName(), obstacle);
      if (name.equals("auto")) {
        log.info(transport.excuse(obstacle));
      }
    }
    throw new IOException("there is no io-transport '" + name + "'");
  }

  private Transport named(@Nullable Throwable obstacle) throws IOException {
    if (obstacle != null) {
      throw new IOException(
          "io-transport " + configName() + " cannot be used here: " + reason(obstacle), obstacle);
    }
    log.info("Transport {}: as configured", configName());
    return this;
  }

  /** Why another transport is chosen. */
  String excuse(@Nullable Throwable obstacle) {
    return "Transport " + configName() + " cannot be used: " + reason(obstacle) + hint();
  }

  /** What is most often behind an obstacle that the system does not explain. */
  String hint() {
    return "";
  }

  private static String reason(@Nullable Throwable obstacle) {
    Throwable cause = obstacle;
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause == null ? null : cause.getMessage());
  }

  /** Lets the kernel find out whether a silent peer is still there. */
  void keepAlive(Channel channel, int seconds) {
    KeepAlive options = keepAlive();
    channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
    channel.config().setOption(options.idle, seconds);
    channel.config().setOption(options.interval, Math.max(1, seconds / KEEP_ALIVE_PROBES));
    channel.config().setOption(options.count, KEEP_ALIVE_PROBES);
  }
}
