package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.StringValue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A small command of every kind that the core tells apart, so that it is tested without the
 * families.
 */
final class TestCommands {
  final TestProbe add = new TestProbe(true);
  final TestProbe has = new TestProbe(false);
  final List<DeferredReply> deferred = new CopyOnWriteArrayList<>();

  List<CommandSpec> commands() {
    List<CommandSpec> commands = new ArrayList<>();
    commands.add(writer("set", 3, TestCommands::set).build());
    commands.add(writer("add", -3, TestCommands::oddAdd).probe(add).build());
    commands.add(
        reader("has", -3, (context, reply) -> reply.simpleString("ODD")).probe(has).build());
    commands.add(reader("get", 2, TestCommands::get).build());
    commands.add(reader("card", 2, TestCommands::card).build());
    commands.add(writer("expire", 3, TestCommands::expire).build());
    commands.add(
        plain("del", -2, TestCommands::delete)
            .flags(CommandFlag.WRITE)
            .keys(KeySpec.from(1, 1, "RM"))
            .build());
    commands.add(writer("copy", 3, TestCommands::copy).keys(KeySpec.one(2, "RO")).build());
    commands.add(writer("break", 2, TestCommands::breakBefore).build());
    commands.add(writer("breakhalf", 2, TestCommands::breakHalf).build());
    commands.add(writer("changeandfail", 2, TestCommands::changeAndFail).build());
    commands.add(plain("halfreply", 1, TestCommands::halfReply).build());
    commands.add(plain("select", 2, TestCommands::select).build());
    commands.add(
        plain("echo", 2, (context, reply) -> reply.bulk(context.request().bytes(1))).build());
    commands.add(plain("ping", 1, (context, reply) -> reply.pong()).instant().build());
    commands.add(plain("later", 1, this::later).flags(CommandFlag.LOADING).build());
    commands.add(
        plain("alone", 1, (context, reply) -> reply.ok()).flags(CommandFlag.NO_MULTI).build());
    commands.add(plain("login", 1, TestCommands::login).flags(CommandFlag.NO_AUTH).build());
    commands.add(plain("silence", 2, TestCommands::silence).build());
    commands.add(plain("quit", 1, TestCommands::quit).notQueued().build());
    commands.add(plain("walk", 1, TestCommands::walk).scope(ScopeKind.WALK).build());
    commands.add(plain("all", 1, TestCommands::all).scope(ScopeKind.ALL_READ).build());
    commands.add(
        plain("flush", 1, TestCommands::flush)
            .flags(CommandFlag.WRITE)
            .scope(ScopeKind.ALL_WRITE)
            .build());
    commands.add(
        plain("swap", 3, TestCommands::swap)
            .flags(CommandFlag.WRITE)
            .scope(ScopeKind.ALL_WRITE)
            .build());
    commands.add(
        CommandSpec.named("box")
            .arity(-2)
            .subcommands(
                plain("open", 3, (context, reply) -> reply.bulk(context.arguments().nextBytes())),
                plain("reset", 2, (context, reply) -> reply.ok()))
            .build());
    commands.add(
        plain("crate", -1, (context, reply) -> reply.simpleString("CRATE"))
            .subcommands(plain("count", 2, (context, reply) -> reply.integer(7)))
            .build());
    return commands;
  }

  private static CommandSpec.Builder writer(String name, int arity, Operation operation) {
    return plain(name, arity, operation)
        .flags(CommandFlag.WRITE, CommandFlag.DENYOOM)
        .keys(KeySpec.one(1, "RW"));
  }

  private static CommandSpec.Builder reader(String name, int arity, Operation operation) {
    return plain(name, arity, operation)
        .flags(CommandFlag.READONLY, CommandFlag.FAST)
        .keys(KeySpec.one(1, "RO"));
  }

  private static CommandSpec.Builder plain(String name, int arity, Operation operation) {
    return CommandSpec.named(name).arity(arity).parser(_ -> operation);
  }

  private static void set(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    context.put(key, StringValue.copyOf(context.keyspace().pool(), context.request().bytes(2)));
    context.changed(key, KeyspaceEvent.string("set"));
    reply.ok();
  }

  private static void get(CommandContext context, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    if (entry == null) {
      reply.nullBulk();
    } else if (entry.value() instanceof StringValue string) {
      reply.bulk(string.toArray());
    } else {
      throw Errors.wrongType();
    }
  }

  private static void oddAdd(CommandContext context, ReplyWriter reply) {
    reply.simpleString("ODD");
  }

  private static void card(CommandContext context, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    reply.integer(entry == null ? 0 : TestProbe.set(entry).size());
  }

  /** {@code expire key ms}: the journal gets the time, not the distance. */
  private static void expire(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    if (entry != null) {
      long expireAtMs = context.nowMs() + context.arguments().longAt(2, Errors.NOT_AN_INTEGER);
      context.setExpiry(context.database(), entry, expireAtMs);
      context.changed(key, KeyspaceEvent.generic("expire"));
      context.effect("PEXPIREAT").argument(context.request(), 1).number(expireAtMs);
    }
    reply.integer(entry == null ? 0 : 1);
  }

  private static void delete(CommandContext context, ReplyWriter reply) {
    long deleted = 0;
    for (int i = 1; i < context.request().count(); i++) {
      Key key = context.key(i);
      Entry entry = context.forWrite(key);
      if (entry != null) {
        context.delete(context.database(), entry);
        context.changed(key, KeyspaceEvent.DEL);
        deleted++;
      }
    }
    reply.integer(deleted);
  }

  /** {@code copy to from}. */
  private static void copy(CommandContext context, ReplyWriter reply) {
    Entry from = context.read(context.key(2));
    if (from == null) {
      throw Errors.noSuchKey();
    }
    context.put(context.key(1), from.value().copy());
    context.changed(context.key(1), null);
    reply.ok();
  }

  private static void breakBefore(CommandContext context, ReplyWriter reply) {
    reply.array(2);
    throw new IllegalStateException("broken before the change");
  }

  private static void halfReply(CommandContext context, ReplyWriter reply) {
    reply.array(2);
    reply.bulk("first");
    throw new CommandException("ERR no second");
  }

  private static void breakHalf(CommandContext context, ReplyWriter reply) {
    context.forWrite(context.key(1));
    throw new IllegalStateException("broken in the change");
  }

  /** Against the contract of Operation. */
  private static void changeAndFail(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    context.forWrite(key);
    context.changed(key, null);
    throw new CommandException("ERR too late");
  }

  private static void select(CommandContext context, ReplyWriter reply) {
    context.session().setDatabase((int) context.arguments().nextLong());
    reply.ok();
  }

  private void later(CommandContext context, ReplyWriter reply) {
    deferred.add(context.answerLater());
  }

  private static void login(CommandContext context, ReplyWriter reply) {
    context.session().setAuthenticated(true);
    reply.ok();
  }

  /** CLIENT REPLY. */
  private static void silence(CommandContext context, ReplyWriter reply) {
    switch (context.request().text(1)) {
      case "off" -> {
        context.session().setReplyMode(Session.ReplyMode.OFF);
        reply.setDiscarding(true);
      }
      case "skip" -> context.session().setReplyMode(Session.ReplyMode.SKIP_NEXT);
      default -> {
        context.session().setReplyMode(Session.ReplyMode.ON);
        reply.setDiscarding(false);
        reply.ok();
      }
    }
  }

  private static void quit(CommandContext context, ReplyWriter reply) {
    reply.ok();
    context.session().setClosing();
    context.session().peer().closeAfterReply();
  }

  /** The keys of the database, counted shard by shard. */
  private static void walk(CommandContext context, ReplyWriter reply) {
    long[] keys = new long[1];
    for (int i = 0; i < Keyspace.SHARDS; i++) {
      context.inShard(
          i,
          shard ->
              shard
                  .table(context.database())
                  .forEach(entry -> {
                    keys[0] += context.isExpired(entry) ? 0 : 1;
                  }));
    }
    reply.integer(keys[0]);
  }

  private static void all(CommandContext context, ReplyWriter reply) {
    walk(context, reply);
  }

  private static void flush(CommandContext context, ReplyWriter reply) {
    reply.integer(context.flush(context.database()));
  }

  private static void swap(CommandContext context, ReplyWriter reply) {
    context.swap((int) context.arguments().nextLong(), (int) context.arguments().nextLong());
    reply.ok();
  }
}
