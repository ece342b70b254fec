package io.porteiro.server.command.hyperloglog;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.Arguments;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Operation;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.hyperloglog.HyperLogLog;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** PFDEBUG: looks behind the representation of the HyperLogLog under argument 2. */
final class Debug {
  private static final int SUBCOMMAND = 1;
  private static final int KEY = 2;

  /** An unknown subcommand is told back up to this many bytes. */
  private static final int TOLD_BYTES = 128;

  private Debug() {}

  /** The subcommand's operation. The key is looked at before an unknown one is complained about. */
  static Operation parse(Arguments arguments) {
    if (arguments.isWord(SUBCOMMAND, "getreg")) {
      return Debug::registers;
    }
    if (arguments.isWord(SUBCOMMAND, "decode")) {
      return Debug::decode;
    }
    if (arguments.isWord(SUBCOMMAND, "encoding")) {
      return Debug::encoding;
    }
    if (arguments.isWord(SUBCOMMAND, "todense")) {
      return Debug::toDense;
    }
    return arguments.isWord(SUBCOMMAND, "simd") ? simd(arguments) : Debug::unknown;
  }

  private static StringValue read(CommandContext context) {
    return HyperLogLogs.of(required(context.peek(context.key(KEY))));
  }

  private static Entry required(@Nullable Entry entry) {
    if (entry == null) {
      throw new CommandException("ERR The specified key does not exist");
    }
    return entry;
  }

  /** The register values, of one that is dense afterwards. */
  private static void registers(CommandContext context, ReplyWriter reply) {
    makeDense(context);
    StringValue value = read(context);
    reply.array(HyperLogLog.REGISTERS);
    for (int i = 0; i < HyperLogLog.REGISTERS; i++) {
      reply.integer(HyperLogLog.denseRegister(value, i));
    }
  }

  private static void toDense(CommandContext context, ReplyWriter reply) {
    reply.integer(makeDense(context) ? 1 : 0);
  }

  private static boolean makeDense(CommandContext context) {
    if (HyperLogLog.isDense(read(context))) {
      return false;
    }
    StringValue value = HyperLogLogs.of(required(context.forWrite(context.key(KEY))));
    HyperLogLogs.orCorrupt(() -> HyperLogLog.toDense(value, HyperLogLogs.workspace()));
    context.changed(context.key(KEY), null);
    return true;
  }

  private static void decode(CommandContext context, ReplyWriter reply) {
    StringValue value = read(context);
    if (HyperLogLog.isDense(value)) {
      throw new CommandException("ERR HLL encoding is not sparse");
    }
    reply.bulk(
        HyperLogLogs.orCorrupt(() -> HyperLogLog.describeSparse(value, HyperLogLogs.workspace())));
  }

  private static void encoding(CommandContext context, ReplyWriter reply) {
    reply.simpleString(HyperLogLog.isDense(read(context)) ? "dense" : "sparse");
  }

  /** Redis 8 switches its vector code so and tells whether it is used; here there is none. */
  private static Operation simd(Arguments arguments) {
    if (!arguments.isWord(KEY, "on") && !arguments.isWord(KEY, "off")) {
      throw new CommandException("ERR Argument must be ON or OFF");
    }
    return (context, reply) -> reply.simpleString("disabled");
  }

  private static void unknown(CommandContext context, ReplyWriter reply) {
    read(context);
    Request request = context.request();
    int length = Math.min(request.length(SUBCOMMAND), TOLD_BYTES);
    byte[] name = OffHeap.toArray(request.address(SUBCOMMAND), length);
    throw new CommandException(
        "ERR Unknown PFDEBUG subcommand '" + new String(name, StandardCharsets.ISO_8859_1) + "'");
  }
}
