package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.config.ServerVersion;

/** The Bloom module, built in: client libraries look for it in HELLO and MODULE LIST. */
public final class BuiltInModule {
  public static final String NAME = "bf";

  private BuiltInModule() {}

  /** The list of all modules. */
  public static void list(ReplyWriter reply) {
    reply.array(1);
    reply.map(4);
    reply.bulk("name");
    reply.bulk(NAME);
    reply.bulk("ver");
    reply.integer(ServerVersion.BLOOM_MODULE);
    reply.bulk("path");
    reply.bulk("");
    reply.bulk("args");
    reply.array(0);
  }
}
