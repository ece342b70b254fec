package io.porteiro.server.command.string;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Effects;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.Operation;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.store.KeyspaceEvent;
import io.porteiro.server.structure.string.StringValue;

/** APPEND and SETRANGE: change a part of a string, whose expiry stays. */
final class EditCommands {
  private static final KeyspaceEvent APPEND = KeyspaceEvent.string("append");
  private static final KeyspaceEvent SET_RANGE = KeyspaceEvent.string("setrange");

  private EditCommands() {}

  static void append(CommandContext context, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    StringValue value = entry == null ? create(context, key) : append(context, entry);
    context.changed(key, APPEND);
    reply.integer(value.length());
  }

  private static StringValue create(CommandContext context, Key key) {
    StringValue value = Strings.fromArgument(context, 2);
    context.create(key, value);
    Effects.Effect effect = context.effect("APPEND").argument(context.request(), 1);
    Strings.note(effect, context, 2, value);
    return value;
  }

  private static StringValue append(CommandContext context, Entry entry) {
    StringValue value = Strings.of(entry);
    Request request = context.request();
    Strings.requireAllowedLength(context, value.length() + request.length(2));
    value.append(request.address(2), request.length(2));
    return value;
  }

  static Operation setRange(CommandContext context) {
    long offset = context.arguments().longAt(2, Errors.NOT_AN_INTEGER);
    if (offset < 0) {
      throw new CommandException("ERR offset is out of range");
    }
    return (applied, reply) -> setRange(applied, offset, reply);
  }

  private static void setRange(CommandContext context, long offset, ReplyWriter reply) {
    Key key = context.key(1);
    StringValue old = Strings.ofOrNull(context.peek(key));
    Request request = context.request();
    if (request.length(3) == 0) {
      reply.integer(old == null ? 0 : old.length());
      return;
    }
    Strings.requireAllowedLength(context, offset + request.length(3));
    Entry entry = context.forWrite(key);
    StringValue value = entry == null ? withRange(context, offset) : Strings.of(entry);
    if (entry == null) {
      context.create(key, value);
    } else {
      value.setRange(offset, request.address(3), request.length(3));
    }
    context.changed(key, SET_RANGE);
    reply.integer(value.length());
  }

  private static StringValue withRange(CommandContext context, long offset) {
    Request request = context.request();
    StringValue value = StringValue.zeros(context.keyspace().pool(), offset + request.length(3));
    value.setRange(offset, request.address(3), request.length(3));
    return value;
  }
}
