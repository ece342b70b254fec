package io.porteiro.server.command.hyperloglog;

import static io.porteiro.server.command.CommandFlag.ADMIN;
import static io.porteiro.server.command.CommandFlag.DENYOOM;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.MAY_REPLICATE;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.ScopeKind;
import io.porteiro.server.memory.MemoryLimitException;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.hyperloglog.SelfTest;
import io.porteiro.server.structure.hyperloglog.Union;
import io.porteiro.server.structure.string.StringValue;
import java.util.List;

/** PF*: HyperLogLog, in Redis's words. */
public final class HyperLogLogCommands {
  private static final List<CommandSpec> COMMANDS =
      List.of(
          command("pfadd", -2)
              .flags(WRITE, DENYOOM, FAST)
              .keys(KeySpec.one(1, "RW", "insert"))
              .probe(new Addition())
              .build(),
          command("pfcount", -2)
              .flags(READONLY, MAY_REPLICATE)
              .keys(
                  KeySpec.from(1, 1, "RW", "access")
                      .noting(
                          "RW because it may change the internal representation of the key, and"
                              + " propagate to replicas"))
              .scope(ScopeKind.KEYS_READ)
              .probe(new Count())
              .parser(context -> Count::ofUnion)
              .build(),
          command("pfmerge", -2)
              .flags(WRITE, DENYOOM)
              .keys(KeySpec.one(1, "RW", "access", "insert"), KeySpec.from(2, 1, "RO", "access"))
              .parser(context -> HyperLogLogCommands::merge)
              .build(),
          command("pfdebug", 3)
              .flags(WRITE, DENYOOM, ADMIN)
              .keys(KeySpec.one(2, "RW", "access"))
              .parser(context -> Debug.parse(context.arguments()))
              .build(),
          command("pfselftest", 1)
              .flags(ADMIN)
              .parser(context -> HyperLogLogCommands::selfTest)
              .build());

  /** The event of every change, PFMERGE's too. */
  static final KeyspaceEvent ADDED = KeyspaceEvent.string("pfadd");

  private HyperLogLogCommands() {}

  /** The family's table. */
  public static List<CommandSpec> commands() {
    return COMMANDS;
  }

  private static CommandSpec.Builder command(String name, int arity) {
    return CommandSpec.named(name).arity(arity).categories("hyperloglog");
  }

  private static void merge(CommandContext context, ReplyWriter reply) {
    Union union = HyperLogLogs.newUnion();
    Key destination = context.key(1);
    Count.include(union, context.read(destination));
    for (int i = 2; i < context.request().count(); i++) {
      Count.include(union, context.read(context.key(i)));
    }
    store(context, destination, union);
    context.changed(destination, ADDED);
    noteMerge(context);
    reply.ok();
  }

  /**
   * For the journal: without sources that are past their time, for their removal comes later in it.
   */
  private static void noteMerge(CommandContext context) {
    Effects.Effect effect = context.effect("PFMERGE").argument(context.request(), 1);
    for (int i = 2; i < context.request().count(); i++) {
      if (context.peek(context.key(i)) != null) {
        effect.argument(context.request(), i);
      }
    }
  }

  private static void store(CommandContext context, Key destination, Union union) {
    long sparseMaxBytes = context.config().hllSparseMaxBytes();
    Entry entry = context.forWrite(destination);
    if (entry != null) {
      union.storeIn(HyperLogLogs.of(entry), sparseMaxBytes);
    } else {
      context.create(destination, create(context.keyspace().pool(), union, sparseMaxBytes));
    }
  }

  private static StringValue create(MemoryPool pool, Union union, long sparseMaxBytes) {
    StringValue value = HyperLogLog.create(pool);
    try {
      union.storeIn(value, sparseMaxBytes);
      return value;
    } catch (MemoryLimitException e) {
      value.release();
      throw e;
    }
  }

  private static void selfTest(CommandContext context, ReplyWriter reply) {
    String failure = SelfTest.run(context.keyspace().pool());
    if (failure != null) {
      throw new CommandException("TESTFAILED " + failure);
    }
    reply.ok();
  }
}
