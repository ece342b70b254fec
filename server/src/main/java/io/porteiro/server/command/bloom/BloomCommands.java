package io.porteiro.server.command.bloom;

import static io.porteiro.server.command.CommandFlag.DENYOOM;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.MODULE;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Errors;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.ScopeKind;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Key;
import io.porteiro.server.structure.bloom.BloomDump;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import io.porteiro.server.structure.bloom.InvalidFilterException;
import io.porteiro.server.structure.bloom.SubFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** BF.*: the commands of Redis's Bloom module, in its words. */
public final class BloomCommands {
  private static final List<CommandSpec> COMMANDS =
      List.of(
          write("bf.reserve", -4)
              .exactCategories("write", "fast", "bloom")
              .parser(BloomCommands::reserve)
              .build(),
          write("bf.add", 3).exactCategories("write", "bloom").probe(Addition.ofOne()).build(),
          write("bf.madd", -3).exactCategories("write", "bloom").probe(Addition.ofMany()).build(),
          write("bf.insert", -4)
              .exactCategories("write", "bloom")
              .parser(BloomCommands::insert)
              .build(),
          read("bf.exists", 3).exactCategories("read", "bloom").probe(LookUp.ofOne()).build(),
          read("bf.mexists", -3).exactCategories("read", "bloom").probe(LookUp.ofMany()).build(),
          read("bf.info", -2)
              .exactCategories("read", "fast", "bloom")
              .tips("dont_cache")
              .parser(BloomCommands::info)
              .build(),
          read("bf.card", 2)
              .exactCategories("read", "fast", "bloom")
              .parser(context -> BloomCommands::card)
              .build(),
          read("bf.debug", 2)
              .exactCategories("read", "bloom")
              .tips("dont_cache")
              .parser(context -> BloomCommands::debug)
              .build(),
          command("bf.scandump", 3, "RW") // as the module says, though it only reads
              .flags(READONLY, MODULE, FAST)
              .scope(ScopeKind.KEYS_READ)
              .exactCategories("read", "bloom")
              .tips("dont_cache")
              .parser(context -> BloomCommands::scanDump)
              .build(),
          write("bf.loadchunk", 4)
              .exactCategories("write", "bloom")
              .parser(BloomCommands::loadChunk)
              .build());

  private static final int FIRST_ARGUMENT = 2;
  private static final int CHUNK = 3;

  private BloomCommands() {}

  /** The family's table. */
  public static List<CommandSpec> commands() {
    return COMMANDS;
  }

  private static CommandSpec.Builder write(String name, int arity) {
    return command(name, arity, "RW").flags(WRITE, DENYOOM, MODULE);
  }

  private static CommandSpec.Builder read(String name, int arity) {
    return command(name, arity, "RO").flags(READONLY, MODULE, FAST);
  }

  private static CommandSpec.Builder command(String name, int arity, String keyFlag) {
    return CommandSpec.named(name).arity(arity).keys(KeySpec.one(1, keyFlag));
  }

  // ---- BF.RESERVE

  private static Operation reserve(CommandContext context) {
    if (context.request().count() > ReserveArguments.MAX_COUNT) {
      throw Errors.wrongArity("bf.reserve");
    }
    FilterParameters parameters = ReserveArguments.parse(context);
    return (applied, reply) -> reserve(applied, parameters, reply);
  }

  private static void reserve(
      CommandContext context, FilterParameters parameters, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.peek(key);
    if (entry != null) {
      Filters.of(entry);
      throw new CommandException("ERR item exists");
    }
    context.create(key, parameters.create(context));
    parameters.reserveEffect(context);
    context.changed(key, BatchAdd.RESERVED);
    reply.ok();
  }

  // ---- BF.INSERT

  private static Operation insert(CommandContext context) {
    InsertArguments insert = InsertArguments.parse(context);
    int firstItem = context.arguments().index();
    long[] hashes = Items.pairs(context.request(), firstItem, HashWidth.BITS_64);
    return (applied, reply) -> insert(applied, insert, firstItem, hashes).replyAll(reply);
  }

  private static BatchAdd insert(
      CommandContext context, InsertArguments insert, int firstItem, long[] hashes) {
    Entry entry = context.forWrite(context.key(1));
    if (entry != null) {
      return BatchAdd.to(Filters.of(entry), context, firstItem, hashes, 0);
    }
    if (insert.isNoCreate()) {
      throw new CommandException(Filters.NOT_FOUND);
    }
    return BatchAdd.toNew(insert.parameters(), context, firstItem, hashes, 0);
  }

  // ---- BF.INFO, BF.CARD, BF.DEBUG

  private static Operation info(CommandContext context) {
    return switch (context.request().count()) {
      case 2 -> (applied, reply) -> InfoField.writeAll(Filters.read(applied), reply);
      case 3 -> BloomCommands::infoField;
      default -> throw Errors.wrongArity("bf.info");
    };
  }

  private static void infoField(CommandContext context, ReplyWriter reply) {
    BloomFilter filter = Filters.read(context);
    InfoField field = InfoField.named(context.arguments(), FIRST_ARGUMENT);
    if (field == null) {
      throw new CommandException("Invalid information value");
    }
    field.writeAlone(filter, reply);
  }

  private static void card(CommandContext context, ReplyWriter reply) {
    Entry entry = context.read(context.key(1));
    reply.integer(entry == null ? 0 : Filters.of(entry).size());
  }

  private static void debug(CommandContext context, ReplyWriter reply) {
    BloomFilter filter = Filters.read(context);
    reply.array(1 + filter.linkCount());
    reply.bulk("size:" + Long.toUnsignedString(filter.size()));
    for (int i = 0; i < filter.linkCount(); i++) {
      reply.bulk(describe(filter.link(i), filter.hashWidth()));
    }
  }

  private static String describe(SubFilter link, HashWidth width) {
    return "bytes:%d bits:%d hashes:%d hashwidth:%d capacity:%s size:%s ratio:%s"
        .formatted(
            link.shape().bytes(),
            link.shape().bits(),
            link.shape().hashes(),
            width.bits(),
            Long.toUnsignedString(link.shape().entries()),
            Long.toUnsignedString(link.size()),
            GeneralNotation.of(link.shape().errorRate()));
  }

  // ---- BF.SCANDUMP, BF.LOADCHUNK

  private static void scanDump(CommandContext context, ReplyWriter reply) {
    BloomFilter filter = Filters.read(context);
    long iterator = context.arguments().longAt(FIRST_ARGUMENT, "Second argument must be numeric");
    if (iterator == 0) {
      reply.array(2);
      reply.integer(1);
      reply.bulk(BloomDump.header(filter));
    } else {
      scanDump(BloomDump.chunk(filter, iterator), reply);
    }
  }

  private static void scanDump(BloomDump.@Nullable Chunk chunk, ReplyWriter reply) {
    reply.array(2);
    if (chunk == null) {
      reply.integer(0);
      reply.bulk(new byte[0]);
    } else {
      reply.integer(chunk.nextIterator());
      reply.bulk(chunk.address(), chunk.length());
    }
  }

  private static Operation loadChunk(CommandContext context) {
    long iterator =
        context.arguments().longAt(FIRST_ARGUMENT, "ERR Second argument must be numeric");
    return (applied, reply) -> loadChunk(applied, iterator, reply);
  }

  private static void loadChunk(CommandContext context, long iterator, ReplyWriter reply) {
    Key key = context.key(1);
    Entry entry = context.forWrite(key);
    if (entry != null) {
      loadBits(context, Filters.of(entry), iterator);
    } else if (iterator == 1) {
      context.create(key, fromHeader(context));
      context.changed(key, BatchAdd.RESERVED);
    } else {
      throw new CommandException(Filters.NOT_FOUND);
    }
    reply.ok();
  }

  private static BloomFilter fromHeader(CommandContext context) {
    long address = context.request().address(CHUNK);
    int length = context.request().length(CHUNK);
    try {
      return BloomDump.fromHeader(context.keyspace().pool(), OffHeap.MEMORY, address, length);
    } catch (InvalidFilterException e) {
      throw new CommandException("ERR received bad data");
    }
  }

  private static void loadBits(CommandContext context, BloomFilter filter, long iterator) {
    long address = context.request().address(CHUNK);
    int length = context.request().length(CHUNK);
    switch (BloomDump.load(filter, iterator, address, length)) {
      case LOADED -> reportLoaded(context, length);
      case BAD_DATA -> throw new CommandException("ERR received bad data");
      case NO_LINK -> throw new CommandException("ERR invalid offset - no link found");
      case TOO_BIG -> throw new CommandException("ERR invalid chunk - Too big for current filter");
    }
  }

  private static void reportLoaded(CommandContext context, int length) {
    if (length > 0) {
      context.changed(context.key(1), BatchAdd.ADDED);
    }
  }
}
