package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.StringValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * SET and its older sisters SETEX, PSETEX, SETNX, GETSET. To the journal all are SET, with an
 * absolute time.
 */
final class SetCommands {
  private static final KeyspaceEvent EXPIRE = KeyspaceEvent.generic("expire");
  private static final int VALUE = 2;

  private SetCommands() {}

  static Operation set(CommandContext context) {
    Arguments arguments = context.arguments();
    arguments.skip();
    arguments.skip();
    SetOptions options = SetOptions.parse(arguments, context.nowMs());
    return options == SetOptions.PLAIN
        ? SetCommands::setPlain
        : (applied, reply) -> set(applied, options, reply);
  }

  private static void setPlain(CommandContext context, ReplyWriter reply) {
    store(context, VALUE, SetOptions.PLAIN);
    reply.ok();
  }

  private static void set(CommandContext context, SetOptions options, ReplyWriter reply) {
    if (options.isGet()) {
      setAndGet(context, options, reply);
    } else if (options.condition().admits(context.peek(context.key(1)))) {
      store(context, VALUE, options);
      reply.ok();
    } else {
      reply.nullBulk();
    }
  }

  /** Answers the old value, which is there until the new one is put. */
  private static void setAndGet(CommandContext context, SetOptions options, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    StringValue old = Strings.ofOrNull(entry);
    boolean admitted = options.condition().admits(entry);
    StringValue value = admitted ? Strings.fromArgument(context, VALUE) : null;
    if (old != null) {
      Strings.reply(old, reply);
    }
    if (value != null) {
      store(context, VALUE, value, options);
    }
    if (old == null) {
      reply.nullBulk();
    }
  }

  private static void store(CommandContext context, int argument, SetOptions options) {
    StringValue old = overwritable(context, argument);
    if (old == null) {
      store(context, argument, Strings.fromArgument(context, argument), options);
    } else {
      overwrite(context, argument, old, options);
    }
  }

  /**
   * A string under the key that is as long as the argument, or null. Overwritten in its place it
   * leaves no garbage; a new one would make the collector look through the old generation for it.
   */
  private static @Nullable StringValue overwritable(CommandContext context, int argument) {
    Request request = context.request();
    Entry entry = context.peek(context.key(1));
    return entry != null
            && entry.value() instanceof StringValue old
            && !request.isTakeable(argument)
            && old.canBecome(request.address(argument), request.length(argument))
        ? old
        : null;
  }

  private static void overwrite(
      CommandContext context, int argument, StringValue old, SetOptions options) {
    Entry entry = Objects.requireNonNull(context.forWrite(context.key(1)));
    old.overwrite(context.request().address(argument));
    stored(context, argument, entry, old, options);
  }

  /** Cannot fail where the key is there already. */
  private static void store(
      CommandContext context, int argument, StringValue value, SetOptions options) {
    stored(context, argument, context.put(context.key(1), value), value, options);
  }

  private static void stored(
      CommandContext context, int argument, Entry entry, StringValue value, SetOptions options) {
    Key key = context.key(1);
    if (!options.isKeepTtl()) {
      context.setExpiry(context.database(), entry, options.expireAtMs());
    }
    context.changed(key, Strings.SET);
    if (options.hasExpiry()) {
      context.event(context.database(), key, EXPIRE);
    }
    Effects.Effect effect = context.effect("SET").argument(context.request(), 1);
    note(Strings.note(effect, context, argument, value), options);
  }

  private static void note(Effects.Effect effect, SetOptions options) {
    if (options.isKeepTtl()) {
      effect.text("KEEPTTL");
    } else if (options.hasExpiry()) {
      effect.text("PXAT").number(options.expireAtMs());
    }
  }

  static Operation setEx(CommandContext context) {
    return setExpiring(context, ExpiryOption.EX);
  }

  static Operation pSetEx(CommandContext context) {
    return setExpiring(context, ExpiryOption.PX);
  }

  private static Operation setExpiring(CommandContext context, ExpiryOption unit) {
    String command = context.spec().name();
    SetOptions options = SetOptions.expiring(context.arguments(), unit, context.nowMs(), command);
    return (applied, reply) -> {
      store(applied, VALUE + 1, options);
      reply.ok();
    };
  }

  static void setNx(CommandContext context, ReplyWriter reply) {
    boolean missing = context.peek(context.key(1)) == null;
    if (missing) {
      store(context, VALUE, SetOptions.PLAIN);
    }
    reply.integer(missing ? 1 : 0);
  }

  static void getSet(CommandContext context, ReplyWriter reply) {
    setAndGet(context, SetOptions.PLAIN, reply);
  }
}
