package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Operation;
import java.util.Locale;

/** DEBUG PROTOCOL: a value of each type, for tests of client libraries. */
final class DebugProtocol {
  private DebugProtocol() {}

  static Operation answer(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "string" -> (context, reply) -> reply.bulk("Hello World");
      case "integer" -> (context, reply) -> reply.integer(12345);
      case "double" -> (context, reply) -> reply.doubleValue(3.141);
      case "bignum" -> (context, reply) -> reply.bigNumber("1234567999999999999999999999999999999");
      case "null" -> (context, reply) -> reply.nullBulk();
      case "array" -> (context, reply) -> array(reply);
      case "set" -> (context, reply) -> set(reply);
      case "map" -> (context, reply) -> map(reply);
      case "attrib" -> DebugProtocol::attribute;
      case "push" -> DebugProtocol::push;
      case "verbatim" -> (context, reply) -> reply.verbatim("txt", "This is a verbatim\nstring");
      case "true" -> (context, reply) -> reply.bool(true);
      case "false" -> (context, reply) -> reply.bool(false);
      default ->
          throw new CommandException(
              "ERR Wrong protocol type name. Please use one of the following: string|integer|"
                  + "double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
    };
  }

  private static void array(ReplyWriter reply) {
    reply.array(3);
    numbers(reply);
  }

  private static void set(ReplyWriter reply) {
    reply.set(3);
    numbers(reply);
  }

  private static void numbers(ReplyWriter reply) {
    for (int i = 0; i < 3; i++) {
      reply.integer(i);
    }
  }

  private static void map(ReplyWriter reply) {
    reply.map(3);
    for (int i = 0; i < 3; i++) {
      reply.integer(i);
      reply.bool(i == 1);
    }
  }

  private static void attribute(CommandContext context, ReplyWriter reply) {
    if (reply.protocol() > 2) {
      reply.attribute(1);
      reply.bulk("key-popularity");
      reply.array(2);
      reply.bulk("key:123");
      reply.integer(90);
    }
    reply.bulk("Some real reply following the attribute");
  }

  /** Behind the reply, as every push that a command causes on its own connection. */
  private static void push(CommandContext context, ReplyWriter reply) {
    if (reply.protocol() == 2) {
      throw new CommandException("ERR RESP2 is not supported by this command");
    }
    reply.bulk("Some real reply following the push reply");
    reply.push(2);
    reply.bulk("server-cpu-usage");
    reply.integer(42);
  }
}
