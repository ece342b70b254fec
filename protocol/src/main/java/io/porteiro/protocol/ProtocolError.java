package io.porteiro.protocol;

/**
 * Why nothing more can be read from a connection. The requests before it are answered first, then
 * the connection is closed.
 *
 * @param text what went wrong, in Redis's words (without {@code ERR Protocol error: })
 * @param answered whether the client is told ({@link #reply}) or the connection just closed
 */
public record ProtocolError(String text, boolean answered) {
  /** The error reply, without the leading '-'. */
  public String reply() {
    return "ERR Protocol error: " + text;
  }
}
