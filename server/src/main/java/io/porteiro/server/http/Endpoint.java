package io.porteiro.server.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.QueryStringDecoder;

/** What answers at one path. */
@FunctionalInterface
interface Endpoint {
  /**
   * Answers a request.
   *
   * @param query the path and what follows it
   */
  Answer answer(QueryStringDecoder query, HttpHeaders headers);
}
