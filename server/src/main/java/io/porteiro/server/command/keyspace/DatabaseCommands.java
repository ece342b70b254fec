package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Persistence;
import io.porteiro.server.command.ScopeKind;
import java.util.List;

/** Whole databases: emptied, exchanged. */
final class DatabaseCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          flush("flushdb", DatabaseCommands::flushdb),
          flush("flushall", DatabaseCommands::flushall),
          CommandSpec.named("swapdb")
              .arity(3)
              .flags(WRITE, FAST)
              .categories("keyspace", "dangerous")
              .scope(ScopeKind.ALL_WRITE)
              .parser(DatabaseCommands::swapdb)
              .build());

  private DatabaseCommands() {}

  private static CommandSpec flush(String name, CommandParser parser) {
    return CommandSpec.named(name)
        .arity(-1)
        .flags(WRITE)
        .categories("keyspace", "dangerous")
        .tips("request_policy:all_shards", "response_policy:all_succeeded")
        .scope(ScopeKind.ALL_WRITE)
        .parser(parser)
        .build();
  }

  private static Operation flushdb(CommandContext parsed) {
    checkMode(parsed.arguments());
    return (context, reply) -> {
      context.flush(context.database());
      reply.ok();
    };
  }

  private static Operation flushall(CommandContext parsed) {
    checkMode(parsed.arguments());
    return (context, reply) -> {
      for (int database = 0; database < context.keyspace().databases(); database++) {
        context.flush(database);
      }
      replyWhenSaved(context, reply);
    };
  }

  /**
   * Where the data are saved at all, the file is written anew before the reply, as Redis does:
   * otherwise a restart would bring back what was flushed. Redis does not tell whether that worked.
   */
  private static void replyWhenSaved(CommandContext context, ReplyWriter reply) {
    Persistence persistence = context.services().persistence();
    if (context.config().save().isEmpty() || persistence.isLoading()) {
      reply.ok();
    } else if (context.isInTransaction()) {
      persistence.backgroundSave(true);
      reply.ok();
    } else {
      saveAndReply(persistence, context.answerLater());
    }
  }

  private static void saveAndReply(Persistence persistence, DeferredReply later) {
    if (!persistence.save(failure -> later.complete(ReplyWriter::ok))) {
      persistence.backgroundSave(true);
      later.complete(ReplyWriter::ok);
    }
  }

  /**
   * SYNC and ASYNC are the same: the old tables are always freed in the background, and who needs
   * their memory before waits for it.
   */
  private static void checkMode(Arguments arguments) {
    if (arguments.hasNext() && !arguments.accept("SYNC") && !arguments.accept("ASYNC")) {
      throw Errors.syntax();
    }
    if (arguments.hasNext()) {
      throw Errors.syntax();
    }
  }

  private static Operation swapdb(CommandContext parsed) {
    int first = DatabaseArgument.nextNumber(parsed, "ERR invalid first DB index");
    int second = DatabaseArgument.nextNumber(parsed, "ERR invalid second DB index");
    DatabaseArgument.check(parsed, first);
    DatabaseArgument.check(parsed, second);
    return (context, reply) -> {
      if (first != second) {
        context.swap(first, second);
      }
      reply.ok();
    };
  }
}
