package io.porteiro.protocol;

/**
 * Why nothing more can be read from a connection. The requests before it are answered first, then
 * the connection is closed.
 *
 * @param text what went wrong, in Redis's words (without {@code ERR Protocol error: })
 * @param answered whether the client is told ({@link #reply}) or the connection just closed
 */
public record ProtocolError(String text, boolean answered) {
  private static final ProtocolError QUERY_BUFFER_LIMIT =
      new ProtocolError("the client's query buffer reached its limit", false);

  static ProtocolError queryBufferLimit() {
    return QUERY_BUFFER_LIMIT;
  }

  /** Whether the client sent more than it may before it is executed. */
  public boolean isQueryBufferLimit() {
    return equals(QUERY_BUFFER_LIMIT);
  }

  /** The error reply, without the leading '-'. */
  public String reply() {
    return "ERR Protocol error: " + text;
  }
}
