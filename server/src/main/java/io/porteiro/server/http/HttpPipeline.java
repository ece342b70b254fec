package io.porteiro.server.http;

import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.concurrent.Executor;

/** Makes what turns the bytes of a new connection into requests, with bounds on all of them. */
final class HttpPipeline extends ChannelInitializer<SocketChannel> {
  private static final int MAX_LINE_BYTES = 4096;
  private static final int MAX_HEADER_BYTES = 16 << 10;

  /** No request needs a body. */
  private static final int MAX_BODY_BYTES = 1024;

  private final Routes routes;
  private final Executor reports;
  private final Connections connections;

  HttpPipeline(Routes routes, Executor reports, Connections connections) {
    this.routes = routes;
    this.reports = reports;
    this.connections = connections;
  }

  @Override
  protected void initChannel(SocketChannel channel) {
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addLast(
        new HttpServerCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_LINE_BYTES)
                .setMaxHeaderSize(MAX_HEADER_BYTES)));
    pipeline.addLast(new HttpObjectAggregator(MAX_BODY_BYTES, true));
    pipeline.addLast(new HttpConnection(routes, reports, connections));
  }
}
