package io.porteiro.server.config;

/** {@code client-output-buffer-limit}: one limit for each class of clients. */
public record OutputBufferLimits(
    OutputBufferLimit normal, OutputBufferLimit replica, OutputBufferLimit pubsub) {

  static final OutputBufferLimits DEFAULTS =
      new OutputBufferLimits(
          new OutputBufferLimit(0, 0, 0),
          new OutputBufferLimit(256L << 20, 64L << 20, 60),
          new OutputBufferLimit(32L << 20, 8L << 20, 60));

  OutputBufferLimits with(String clientClass, OutputBufferLimit limit) throws ConfigException {
    return switch (clientClass) {
      case "normal" -> new OutputBufferLimits(limit, replica, pubsub);
      case "replica", "slave" -> new OutputBufferLimits(normal, limit, pubsub);
      case "pubsub" -> new OutputBufferLimits(normal, replica, limit);
      default ->
          throw new ConfigException(
              "Invalid client class specified in buffer limit configuration.");
    };
  }
}
