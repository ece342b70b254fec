package io.porteiro.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is answered to a request.
 *
 * @param headers beyond those that every answer has
 */
record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
  private static final String PLAIN = "text/plain; charset=utf-8";

  static Answer of(String contentType, byte[] body) {
    return new Answer(200, contentType, body, Map.of());
  }

  /** A sentence for people and scripts. */
  static Answer text(int status, String sentence) {
    byte[] body = (sentence + "\n").getBytes(StandardCharsets.UTF_8);
    return new Answer(status, PLAIN, body, Map.of());
  }

  Answer with(String header, String value) {
    Map<String, String> more = new TreeMap<>(headers);
    more.put(header, value);
    return new Answer(status, contentType, body, more);
  }
}
