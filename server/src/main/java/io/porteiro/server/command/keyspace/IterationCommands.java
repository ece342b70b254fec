package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.READONLY;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.Request;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.Operation;
import io.porteiro.server.command.ScopeKind;
import io.porteiro.server.glob.GlobPattern;
import io.porteiro.server.store.Keyspace;
import java.util.List;

/** Which keys there are, and how many. */
final class IterationCommands {
  static final List<CommandSpec> TABLE =
      List.of(
          CommandSpec.named("keys")
              .arity(2)
              .flags(READONLY)
              .categories("keyspace", "dangerous")
              .tips("request_policy:all_shards", "nondeterministic_output_order")
              .scope(ScopeKind.ALL_READ)
              .parser(IterationCommands::keys)
              .build(),
          CommandSpec.named("scan")
              .arity(-2)
              .flags(READONLY)
              .categories("keyspace")
              .tips("nondeterministic_output", "request_policy:special", "response_policy:special")
              .scope(ScopeKind.WALK)
              .parser(IterationCommands::scan)
              .build(),
          CommandSpec.named("randomkey")
              .arity(1)
              .flags(READONLY)
              .categories("keyspace")
              .tips(
                  "request_policy:all_shards", "response_policy:special", "nondeterministic_output")
              .scope(ScopeKind.WALK)
              .parser(IterationCommands::randomkey)
              .build(),
          CommandSpec.named("dbsize")
              .arity(1)
              .flags(READONLY, FAST)
              .categories("keyspace")
              .tips("request_policy:all_shards", "response_policy:agg_sum")
              .scope(ScopeKind.NONE)
              .parser(IterationCommands::dbsize)
              .build());

  private IterationCommands() {}

  private static Operation keys(CommandContext parsed) {
    Request request = parsed.request();
    GlobPattern pattern = GlobPattern.of(request.address(1), request.length(1));
    return (context, reply) -> listKeys(context, pattern, reply);
  }

  private static void listKeys(CommandContext context, GlobPattern pattern, ReplyWriter reply) {
    int place = reply.defer();
    KeyList keys = new KeyList(context, pattern, reply);
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      context.inShard(shard, s -> s.table(context.database()).forEach(keys::add));
    }
    reply.deferredArray(place, keys.count());
  }

  private static Operation scan(CommandContext parsed) {
    Scan scan = Scan.parse(parsed);
    return scan::apply;
  }

  private static Operation randomkey(CommandContext unused) {
    return (context, reply) -> {
      byte[] key = RandomKey.pick(context);
      if (key == null) {
        reply.nullBulk();
      } else {
        reply.bulk(key);
      }
    };
  }

  private static Operation dbsize(CommandContext unused) {
    return (context, reply) -> reply.integer(context.keyspace().size(context.database()));
  }
}
