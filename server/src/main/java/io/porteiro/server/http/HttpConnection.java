package io.porteiro.server.http;

import static io.netty.handler.codec.http.HttpResponseStatus.BAD_REQUEST;
import static io.netty.handler.codec.http.HttpResponseStatus.INTERNAL_SERVER_ERROR;
import static io.netty.handler.codec.http.HttpResponseStatus.METHOD_NOT_ALLOWED;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
import static io.netty.handler.codec.http.HttpResponseStatus.REQUEST_URI_TOO_LONG;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: its requests are answered one after the other, and nothing is read while one is.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  /** From the first byte to the end of a request. */
  private static final Duration FIRST_REQUEST = Duration.ofSeconds(10);

  /** Prometheus asks every minute by default, on the connection that it has. */
  private static final Duration NEXT_REQUEST = Duration.ofSeconds(150);

  /** From the request until the peer has taken the answer. */
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private final Routes routes;
  private final Executor reports;
  private final Connections connections;

  /** Those that came in one read with the one that is being answered. */
  private final Queue<FullHttpRequest> next = new ArrayDeque<>(0);

  private boolean answering;
  private @Nullable Deadline deadline;

  /**
   * @param reports runs what takes longer than the event loop may stand still; refuses when it has
   *     too much
   */
  HttpConnection(Routes routes, Executor reports, Connections connections) {
    this.routes = routes;
    this.reports = reports;
    this.connections = connections;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    deadline = new Deadline(context.channel());
    awaitRequest(context, FIRST_REQUEST);
  }

  private void awaitRequest(ChannelHandlerContext context, Duration time) {
    deadline().set(time);
    connections.waits(context.channel());
    context.channel().config().setAutoRead(true);
  }

  private Deadline deadline() {
    return Objects.requireNonNull(deadline);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    deadline().cancel();
    connections.closed(context.channel());
    next.forEach(FullHttpRequest::release);
    next.clear();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    log.debug("HTTP connection {} failed", context.channel(), cause);
    context.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    next.add((FullHttpRequest) message);
    if (!answering) {
      answerNext(context);
    }
  }

  private void answerNext(ChannelHandlerContext context) {
    FullHttpRequest request = next.poll();
    answering = request != null;
    if (request == null) {
      awaitRequest(context, NEXT_REQUEST);
      return;
    }
    try {
      answer(context, request);
    } finally {
      request.release();
    }
  }

  private void answer(ChannelHandlerContext context, FullHttpRequest request) {
    context.channel().config().setAutoRead(false);
    deadline().set(ANSWER);
    connections.isAnswered(context.channel());
    Answer refusal = refusal(request);
    if (refusal != null) {
      send(context, refusal, false);
    } else {
      route(context, request);
    }
  }

  /** The answer to what is no request that can be understood; null if it is one. */
  private static @Nullable Answer refusal(FullHttpRequest request) {
    Throwable failure = request.decoderResult().cause();
    if (failure != null) {
      return failed(malformed(failure));
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      return failed(METHOD_NOT_ALLOWED).with("allow", "GET, HEAD");
    }
    boolean named = request.headers().contains(HttpHeaderNames.HOST);
    return named || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        ? null
        : failed(BAD_REQUEST);
  }

  private static HttpResponseStatus malformed(Throwable failure) {
    return switch (failure) {
      case TooLongHttpLineException _ -> REQUEST_URI_TOO_LONG;
      case TooLongHttpHeaderException _ -> REQUEST_HEADER_FIELDS_TOO_LARGE;
      default -> BAD_REQUEST;
    };
  }

  private static Answer failed(HttpResponseStatus status) {
    return Answer.text(status.code(), status.reasonPhrase());
  }

  private void route(ChannelHandlerContext context, FullHttpRequest request) {
    QueryStringDecoder query = new QueryStringDecoder(request.uri());
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    HttpHeaders headers = request.headers();
    String path = path(query);
    Endpoint immediate = routes.immediate(path);
    Endpoint report = routes.report(path);
    if (immediate != null) {
      send(context, answer(immediate, query, headers), keepAlive);
    } else if (report != null) {
      later(context, report, query, headers, keepAlive);
    } else {
      send(context, failed(NOT_FOUND), keepAlive);
    }
  }

  private static String path(QueryStringDecoder query) {
    try {
      return query.path();
    } catch (IllegalArgumentException e) {
      return ""; // a broken escape names nothing
    }
  }

  private void later(
      ChannelHandlerContext context,
      Endpoint report,
      QueryStringDecoder query,
      HttpHeaders headers,
      boolean keepAlive) {
    try {
      reports.execute(() -> {
        Answer answer = Encoding.applied(answer(report, query, headers), headers);
        context.executor().execute(() -> send(context, answer, keepAlive));
      });
    } catch (RejectedExecutionException e) {
      send(context, failed(SERVICE_UNAVAILABLE).with("retry-after", "1"), keepAlive);
    }
  }

  private static Answer answer(Endpoint endpoint, QueryStringDecoder query, HttpHeaders headers) {
    try {
      return endpoint.answer(query, headers);
    } catch (IllegalArgumentException e) {
      return failed(BAD_REQUEST); // a broken escape
    } catch (RuntimeException e) {
      log.warn("HTTP request {} failed", query.rawPath(), e);
      return failed(INTERNAL_SERVER_ERROR);
    }
  }

  private void send(ChannelHandlerContext context, Answer answer, boolean keepAlive) {
    ChannelFuture written = context.writeAndFlush(response(answer, keepAlive));
    if (keepAlive) {
      written.addListener(future -> {
        if (future.isSuccess()) {
          context.executor().execute(() -> answerNext(context)); // not deeper with each request
        }
      });
    } else {
      written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private static FullHttpResponse response(Answer answer, boolean keepAlive) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(answer.body()));
    HttpHeaders headers = response.headers();
    headers.set(HttpHeaderNames.CONTENT_TYPE, answer.contentType());
    headers.set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    headers.set(
        HttpHeaderNames.CONNECTION,
        keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
    Safeguards.HEADERS.forEach(headers::set);
    answer.headers().forEach(headers::set);
    return response;
  }
}
