package io.porteiro.server.command.string;

import static io.porteiro.server.command.CommandFlag.DENYOOM;
import static io.porteiro.server.command.CommandFlag.FAST;
import static io.porteiro.server.command.CommandFlag.READONLY;
import static io.porteiro.server.command.CommandFlag.WRITE;

import io.porteiro.server.command.CommandParser;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import io.porteiro.server.command.Operation;
import java.util.List;

/** Strings: what of Redis's string commands a server of filters and HyperLogLogs needs. */
public final class StringCommands {
  private static final List<CommandSpec> COMMANDS =
      List.of(
          command("set", -3, SetCommands::set)
              .flags(WRITE, DENYOOM)
              .keys(
                  KeySpec.one(1, "RW", "access", "update", "variable_flags")
                      .noting("RW and ACCESS due to the optional `GET` argument"))
              .build(),
          command("setnx", 3, always(SetCommands::setNx))
              .flags(WRITE, DENYOOM, FAST)
              .keys(KeySpec.one(1, "OW", "insert"))
              .build(),
          command("setex", 4, SetCommands::setEx)
              .flags(WRITE, DENYOOM)
              .keys(KeySpec.one(1, "OW", "update"))
              .build(),
          command("psetex", 4, SetCommands::pSetEx)
              .flags(WRITE, DENYOOM)
              .keys(KeySpec.one(1, "OW", "update"))
              .build(),
          command("mset", -3, MultipleSet::mSet)
              .flags(WRITE, DENYOOM)
              .tips("request_policy:multi_shard", "response_policy:all_succeeded")
              .keys(KeySpec.from(1, 2, "OW", "update"))
              .build(),
          command("msetnx", -3, MultipleSet::mSetNx)
              .flags(WRITE, DENYOOM)
              .keys(KeySpec.from(1, 2, "OW", "insert"))
              .build(),
          command("get", 2, always(GetCommands::get))
              .flags(READONLY, FAST)
              .keys(KeySpec.one(1, "RO", "access"))
              .build(),
          command("mget", -2, always(GetCommands::mGet))
              .flags(READONLY, FAST)
              .tips("request_policy:multi_shard")
              .keys(KeySpec.from(1, 1, "RO", "access"))
              .build(),
          command("getset", 3, always(SetCommands::getSet))
              .flags(WRITE, DENYOOM, FAST)
              .keys(KeySpec.one(1, "RW", "access", "update"))
              .build(),
          command("getdel", 2, always(GetCommands::getDel))
              .flags(WRITE, FAST)
              .keys(KeySpec.one(1, "RW", "access", "delete"))
              .build(),
          command("getex", -2, GetCommands::getEx)
              .flags(WRITE, FAST)
              .keys(
                  KeySpec.one(1, "RW", "access", "update")
                      .noting("RW and UPDATE because it changes the TTL"))
              .build(),
          command("strlen", 2, always(GetCommands::strLen))
              .flags(READONLY, FAST)
              .keys(KeySpec.one(1, "RO"))
              .build(),
          command("getrange", 4, GetCommands::getRange)
              .flags(READONLY)
              .keys(KeySpec.one(1, "RO", "access"))
              .build(),
          command("substr", 4, GetCommands::getRange)
              .flags(READONLY)
              .keys(KeySpec.one(1, "RO", "access"))
              .build(),
          command("append", 3, always(EditCommands::append))
              .flags(WRITE, DENYOOM, FAST)
              .keys(KeySpec.one(1, "RW", "insert"))
              .build(),
          command("setrange", 4, EditCommands::setRange)
              .flags(WRITE, DENYOOM)
              .keys(KeySpec.one(1, "RW", "update"))
              .build(),
          counter("incr", 2, always(CounterCommands::incr)),
          counter("decr", 2, always(CounterCommands::decr)),
          counter("incrby", 3, CounterCommands::incrBy),
          counter("decrby", 3, CounterCommands::decrBy),
          counter("incrbyfloat", 3, always(CounterCommands::incrByFloat)));

  private StringCommands() {}

  /** The family's table. */
  public static List<CommandSpec> commands() {
    return COMMANDS;
  }

  private static CommandSpec.Builder command(String name, int arity, CommandParser parser) {
    return CommandSpec.named(name).arity(arity).categories("string").parser(parser);
  }

  private static CommandSpec counter(String name, int arity, CommandParser parser) {
    return command(name, arity, parser)
        .flags(WRITE, DENYOOM, FAST)
        .keys(KeySpec.one(1, "RW", "access", "update"))
        .build();
  }

  /** Of a command whose arguments need no parsing. */
  private static CommandParser always(Operation operation) {
    return context -> operation;
  }
}
