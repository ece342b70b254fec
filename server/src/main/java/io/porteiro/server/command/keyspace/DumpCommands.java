package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.DENYOOM;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.BlockBytes;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import java.util.List;

/** Values as bytes that Redis reads too. */
final class DumpCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          CommandSpec.named("dump")
              .arity(2)
              .flags(READONLY)
              .categories("keyspace")
              .tips("nondeterministic_output")
              .keys(KeySpec.one(1, "RO", "access"))
              .parser(DumpCommands::dump)
              .build(),
          CommandSpec.named("restore")
              .arity(-4)
              .flags(WRITE, DENYOOM)
              .categories("keyspace", "dangerous")
              .keys(KeySpec.one(1, "OW", "update"))
              .parser(DumpCommands::restore)
              .build());

  private DumpCommands() {}

  private static Operation dump(CommandContext unused) {
    return DumpCommands::dump;
  }

  private static void dump(CommandContext context, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    if (entry == null) {
      reply.nullBulk();
      return;
    }
    boolean compress = context.config().rdbcompression();
    try (DumpPayload payload = DumpPayload.of(entry.value(), context.keyspace().pool(), compress)) {
      BlockBytes.reply(payload.block(), 0, payload.length(), reply);
    }
  }

  private static Operation restore(CommandContext parsed) {
    return new Restore(parsed)::apply;
  }
}
