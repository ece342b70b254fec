package io.porteiro.server.command;

/** What a command does with channels it names, which its user must be permitted to. */
public enum ChannelUse {
  NONE,
  /** Its first argument is a channel to publish to. */
  PUBLISH,
  /** All its arguments are channels to subscribe to. */
  SUBSCRIBE,
  /** All its arguments are patterns to subscribe to. */
  SUBSCRIBE_PATTERNS
}
