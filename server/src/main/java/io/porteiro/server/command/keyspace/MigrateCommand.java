package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.MOVABLEKEYS;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.LateScope;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.Services;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * MIGRATE: takes the values under the lock, and leaves the rest to a {@link Migration} on a thread
 * of its own.
 */
final class MigrateCommand {
  private final Supplier<@Nullable SSLSocketFactory> encryption;
  private @Nullable LateScope late;

  MigrateCommand(Supplier<@Nullable SSLSocketFactory> encryption) {
    this.encryption = encryption;
  }

  CommandSpec spec() {
    return CommandSpec.named("migrate")
        .arity(-6)
        .flags(WRITE, MOVABLEKEYS)
        .categories("keyspace", "dangerous")
        .tips("nondeterministic_output")
        .keys(MigrateArguments.KEYS.toArray(new KeySpec[0]))
        .parser(this::parse)
        .build();
  }

  private Operation parse(CommandContext context) {
    MigrateArguments arguments = new MigrateArguments(context.arguments());
    return (applied, reply) -> apply(applied, arguments, reply);
  }

  private void apply(CommandContext context, MigrateArguments arguments, ReplyWriter reply) {
    if (context.isInTransaction()) {
      throw new CommandException("ERR 'migrate' is not allowed inside a transaction");
    }
    SSLSocketFactory sockets = encryption.get();
    List<MigratedKey> keys = new ArrayList<>();
    try {
      take(context, arguments, keys);
    } catch (RuntimeException e) {
      giveBack(context, keys);
      throw e;
    }
    if (keys.isEmpty()) {
      reply.simpleString("NOKEY");
      return;
    }
    Migration migration =
        new Migration(
            context.services(),
            late(context.services()),
            context.session(),
            arguments,
            keys,
            sockets,
            context.answerLater());
    Thread.ofVirtual().name("migrate").start(migration);
  }

  /** Of keys that are named twice only the first is watched, and so deleted in the end. */
  private static void take(
      CommandContext context, MigrateArguments arguments, List<MigratedKey> keys) {
    boolean compress = context.config().rdbcompression();
    for (int i = 0; i < arguments.keyCount(); i++) {
      Key key = context.key(arguments.firstKey() + i);
      Entry entry = context.read(key);
      if (entry != null) {
        MigratedKey taken = new MigratedKey(context.keyspace(), key);
        keys.add(taken);
        taken.dump(entry, context.keyspace().pool(), compress);
        taken.setWatch(arguments.isCopy() ? null : context.watch(key, arguments));
      }
    }
  }

  private static void giveBack(CommandContext context, List<MigratedKey> keys) {
    for (MigratedKey key : keys) {
      if (key.watch() != null) {
        context.unwatch(key.watch());
      }
      key.release();
    }
  }

  private synchronized LateScope late(Services services) {
    if (late == null) {
      late = new LateScope(services);
    }
    return late;
  }
}
