package io.porteiro.server.command.access;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.access.AccessLog;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Operation;
import java.util.List;

/** ACL LOG: what was denied of late. */
final class LogCommand {
  private static final long DEFAULT_COUNT = 10;
  private static final double MILLIS_PER_SECOND = 1000;

  private LogCommand() {}

  static Operation parse(CommandContext context) {
    AccessCommands.requireCount(context, 3);
    Arguments arguments = context.arguments();
    if (!arguments.hasNext()) {
      return newest(DEFAULT_COUNT);
    }
    if (arguments.accept("RESET")) {
      return LogCommand::reset;
    }
    return newest(arguments.nextLong());
  }

  private static void reset(CommandContext context, ReplyWriter reply) {
    context.services().accessLog().clear();
    reply.ok();
  }

  private static Operation newest(long count) {
    return (context, reply) -> {
      List<AccessLog.Entry> entries = context.services().accessLog().newest(Math.max(0, count));
      reply.array(entries.size());
      entries.forEach(entry -> describe(entry, context.nowMs(), reply));
    };
  }

  private static void describe(AccessLog.Entry entry, long nowMs, ReplyWriter reply) {
    AccessLog.Event event = entry.event();
    reply.map(10);
    reply.bulk("count");
    reply.integer(entry.count());
    field("reason", event.denial().reason(), reply);
    field("context", event.inTransaction() ? "multi" : "toplevel", reply);
    field("object", event.object(), reply);
    field("username", event.username(), reply);
    reply.bulk("age-seconds");
    reply.doubleValue(Math.max(0, nowMs - entry.updatedAtMs()) / MILLIS_PER_SECOND);
    field("client-info", event.client(), reply);
    reply.bulk("entry-id");
    reply.integer(entry.id());
    reply.bulk("timestamp-created");
    reply.integer(entry.createdAtMs());
    reply.bulk("timestamp-last-updated");
    reply.integer(entry.updatedAtMs());
  }

  private static void field(String name, String value, ReplyWriter reply) {
    reply.bulk(name);
    reply.bulk(value);
  }
}
