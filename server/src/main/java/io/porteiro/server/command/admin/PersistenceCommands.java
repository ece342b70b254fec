package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.ALLOW_BUSY;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.porteiro.server.command.CommandFlag.NO_MULTI;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Lifecycle.SaveMode;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Persistence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SAVE and its like, and SHUTDOWN. */
final class PersistenceCommands {
  private static final String SAVING = "ERR Background save already in progress";

  private PersistenceCommands() {}

  static List<CommandSpec> specs() {
    return List.of(
        admin("save", 1, PersistenceCommands::save).flags(NO_ASYNC_LOADING, NO_MULTI).build(),
        admin("bgsave", -1, PersistenceCommands::backgroundSave).flags(NO_ASYNC_LOADING).build(),
        admin("bgrewriteaof", 1, PersistenceCommands::rewriteLog).flags(NO_ASYNC_LOADING).build(),
        admin("shutdown", -1, PersistenceCommands::shutdown)
            .flags(LOADING, STALE, NO_MULTI, ALLOW_BUSY)
            .build(),
        CommandSpec.named("lastsave")
            .arity(1)
            .flags(LOADING, STALE, FAST)
            .categories("admin", "dangerous")
            .tips("nondeterministic_output")
            .parser(PersistenceCommands::lastSave)
            .build());
  }

  private static CommandSpec.Builder admin(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).flags(ADMIN, NOSCRIPT).parser(parser);
  }

  private static Operation save(CommandContext unused) {
    return (context, reply) -> {
      DeferredReply later = context.answerLater();
      boolean begun =
          context
              .services()
              .persistence()
              .save(failure ->
                  later.complete(answer -> {
                    saved(failure, answer);
                  }));
      if (!begun) {
        later.complete(answer -> answer.error(SAVING));
      }
    };
  }

  private static void saved(@Nullable String failure, ReplyWriter answer) {
    if (failure == null) {
      answer.ok();
    } else {
      answer.error("ERR " + failure);
    }
  }

  private static Operation backgroundSave(CommandContext context) {
    Arguments arguments = context.arguments();
    boolean schedule = arguments.accept("SCHEDULE");
    if (arguments.hasNext()) {
      throw Errors.syntax();
    }
    return (applied, reply) -> {
      switch (applied.services().persistence().backgroundSave(schedule)) {
        case STARTED -> reply.simpleString("Background saving started");
        case SCHEDULED -> reply.simpleString("Background saving scheduled");
        case ALREADY_RUNNING -> throw new CommandException(SAVING);
        case REWRITE_RUNNING ->
            throw new CommandException(
                "ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE"
                    + " SCHEDULE in order to schedule a BGSAVE whenever possible.");
      }
    };
  }

  private static Operation rewriteLog(CommandContext unused) {
    return (context, reply) -> {
      Persistence persistence = context.services().persistence();
      switch (persistence.rewriteLog(context.isInTransaction())) {
        case STARTED -> reply.simpleString("Background append only file rewriting started");
        case SCHEDULED -> reply.simpleString("Background append only file rewriting scheduled");
        case ALREADY_RUNNING ->
            throw new CommandException(
                "ERR Background append only file rewriting already in progress");
        case FAILED ->
            throw new CommandException(
                "ERR Can't execute an AOF background rewriting. Please check the server logs for"
                    + " more information.");
      }
    };
  }

  private static Operation lastSave(CommandContext unused) {
    return (context, reply) -> reply.integer(context.services().persistence().lastSaveSeconds());
  }

  /** What SHUTDOWN was asked to do. */
  private static final class ShutdownOptions {
    private boolean save;
    private boolean noSave;
    private boolean now;
    private boolean force;
    private boolean abort;

    ShutdownOptions(Arguments arguments) {
      while (arguments.hasNext()) {
        parse(arguments);
      }
      if ((save && noSave) || (abort && (save || noSave || now || force))) {
        throw Errors.syntax();
      }
    }

    private void parse(Arguments arguments) {
      if (arguments.accept("SAVE")) {
        save = true;
      } else if (arguments.accept("NOSAVE")) {
        noSave = true;
      } else if (arguments.accept("NOW")) {
        now = true;
      } else if (arguments.accept("FORCE")) {
        force = true;
      } else if (arguments.accept("ABORT")) {
        abort = true;
      } else {
        throw Errors.syntax();
      }
    }

    SaveMode saveMode() {
      if (save) {
        return SaveMode.SAVE;
      }
      return noSave ? SaveMode.NOSAVE : SaveMode.DEFAULT;
    }
  }

  private static Operation shutdown(CommandContext context) {
    ShutdownOptions options = new ShutdownOptions(context.arguments());
    if (options.abort) {
      return PersistenceCommands::abortShutdown;
    }
    return (applied, reply) -> {
      DeferredReply later = applied.answerLater();
      applied
          .services()
          .lifecycle()
          .shutdown(
              options.saveMode(),
              options.now,
              options.force,
              failure -> later.complete(answer -> answer.error(failure)));
    };
  }

  private static void abortShutdown(CommandContext context, ReplyWriter reply) {
    if (!context.services().lifecycle().abortShutdown()) {
      throw new CommandException("ERR No shutdown in progress.");
    }
    reply.ok();
  }
}
