package io.porteiro.server.command.admin;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.BLOCKING;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.LOADING;
import static io.porteiro.server.command.CommandFlag.NOSCRIPT;
import static io.porteiro.server.command.CommandFlag.NO_ASYNC_LOADING;
import static io.porteiro.server.command.CommandFlag.STALE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Journal;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Services;
import java.util.List;

/** The commands of replication, as a server without replicas answers them. */
final class ReplicationCommands {
  private static final String NO_LOG =
      "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.";

  private ReplicationCommands() {}

  static List<CommandSpec> specs() {
    return List.of(
        CommandSpec.named("role")
            .arity(1)
            .flags(NOSCRIPT, LOADING, STALE, FAST)
            .categories("admin", "dangerous")
            .parser(ReplicationCommands::role)
            .build(),
        replicaOf("replicaof"),
        replicaOf("slaveof"),
        CommandSpec.named("wait")
            .arity(3)
            .flags(BLOCKING)
            .categories("connection")
            .tips("request_policy:all_shards", "response_policy:agg_min")
            .parser(ReplicationCommands::waitForReplicas)
            .build(),
        CommandSpec.named("waitaof")
            .arity(4)
            .flags(BLOCKING)
            .categories("connection")
            .tips("request_policy:all_shards", "response_policy:agg_min")
            .parser(ReplicationCommands::waitForLog)
            .build());
  }

  private static CommandSpec replicaOf(String name) {
    return CommandSpec.named(name)
        .arity(3)
        .flags(ADMIN, NOSCRIPT, STALE, NO_ASYNC_LOADING)
        .parser(ReplicationCommands::replicaOf)
        .build();
  }

  private static Operation role(CommandContext unused) {
    return (context, reply) -> {
      reply.array(3);
      reply.bulk("master");
      reply.integer(0);
      reply.array(0);
    };
  }

  private static Operation replicaOf(CommandContext context) {
    Arguments arguments = context.arguments();
    if (!arguments.accept("NO") || !arguments.accept("ONE")) {
      throw new CommandException("ERR replication is not supported yet");
    }
    return (applied, reply) -> reply.ok();
  }

  /** No replica will ever acknowledge anything, so there is nothing to wait for. */
  private static Operation waitForReplicas(CommandContext context) {
    context.arguments().nextLong();
    timeoutMs(context.arguments());
    return (applied, reply) -> reply.integer(0);
  }

  private static long timeoutMs(Arguments arguments) {
    long timeoutMs = arguments.nextLong("ERR timeout is not an integer or out of range");
    if (timeoutMs < 0) {
      throw new CommandException("ERR timeout is negative");
    }
    return timeoutMs;
  }

  private static Operation waitForLog(CommandContext context) {
    long local = context.arguments().nextLong();
    if (local < 0 || local > 1) {
      throw new CommandException("ERR value is out of range, value must between 0 and 1");
    }
    long replicas = context.arguments().nextLong();
    if (replicas < 0) {
      throw new CommandException("ERR value is out of range, must be positive");
    }
    long timeoutMs = timeoutMs(context.arguments());
    if (local == 1 && !context.config().appendonly()) {
      throw new CommandException(NO_LOG);
    }
    return (applied, reply) -> waitForLog(applied, local, replicas, timeoutMs, reply);
  }

  /** No replica will ever acknowledge anything: who waits for one waits to the end. */
  private static void waitForLog(
      CommandContext context, long local, long replicas, long timeoutMs, ReplyWriter reply) {
    Journal journal = context.services().journal();
    long position = context.session().ownPosition();
    boolean synced = context.config().appendonly() && journal.syncedPosition() >= position;
    if (context.isInTransaction() || (replicas == 0 && (local == 0 || synced))) {
      acknowledge(synced, reply);
      return;
    }
    DeferredReply later = context.answerLater();
    journal.awaitSynced(
        replicas > 0 ? Long.MAX_VALUE : position,
        timeoutMs,
        _ -> later.complete(answer -> acknowledge(context.services(), local, position, answer)));
  }

  private static void acknowledge(
      Services services, long local, long position, ReplyWriter answer) {
    if (local == 1 && !services.config().appendonly()) {
      answer.error(NO_LOG);
    } else {
      acknowledge(services.journal().syncedPosition() >= position, answer);
    }
  }

  private static void acknowledge(boolean synced, ReplyWriter reply) {
    reply.array(2);
    reply.integer(synced ? 1 : 0);
    reply.integer(0);
  }
}
