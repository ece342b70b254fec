package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandSpec;
import io.porteiro.server.command.KeySpec;
import java.util.Collection;
import java.util.List;

/**
 * The ten elements of a command in COMMAND INFO.
 *
 * @see <a href="https://redis.io/docs/latest/commands/command/">COMMAND</a>
 */
final class CommandDescription {
  private final CommandSpec spec;
  private final ReplyWriter reply;

  private CommandDescription(CommandSpec spec, ReplyWriter reply) {
    this.spec = spec;
    this.reply = reply;
  }

  static void write(CommandSpec spec, ReplyWriter reply) {
    new CommandDescription(spec, reply).write();
  }

  private void write() {
    KeyRange keys = KeyRange.of(spec.keySpecs());
    reply.array(10);
    reply.bulk(spec.fullName());
    reply.integer(spec.arity());
    writeNames(
        spec.flags().stream().filter(CommandFlag::isListed).map(CommandFlag::redisName).toList());
    reply.integer(keys.first());
    reply.integer(keys.last());
    reply.integer(keys.step());
    writeNames(spec.categories().stream().map(category -> "@" + category).toList());
    writeTips();
    writeKeySpecs();
    writeSubcommands();
  }

  private void writeNames(List<String> names) {
    reply.set(names.size());
    names.forEach(reply::simpleString);
  }

  private void writeTips() {
    reply.set(spec.tips().size());
    spec.tips().forEach(reply::bulk);
  }

  private void writeSubcommands() {
    Collection<CommandSpec> subcommands = spec.subcommands();
    reply.set(subcommands.size());
    subcommands.forEach(subcommand -> write(subcommand, reply));
  }

  private void writeKeySpecs() {
    reply.set(spec.keySpecs().size());
    spec.keySpecs().forEach(this::writeKeySpec);
  }

  private void writeKeySpec(KeySpec keys) {
    boolean noted = !keys.notes().isEmpty();
    reply.map(noted ? 4 : 3);
    if (noted) {
      reply.bulk("notes");
      reply.bulk(keys.notes());
    }
    reply.bulk("flags");
    writeNames(keys.flags());
    reply.bulk("begin_search");
    writeBegin(keys);
    reply.bulk("find_keys");
    writeRange(keys);
  }

  private void writeBegin(KeySpec keys) {
    if (keys.keyword().isEmpty()) {
      writeIndex(keys);
    } else {
      writeKeyword(keys);
    }
  }

  private void writeKeyword(KeySpec keys) {
    reply.map(2);
    reply.bulk("type");
    reply.bulk("keyword");
    reply.bulk("spec");
    reply.map(2);
    reply.bulk("keyword");
    reply.bulk(keys.keyword());
    reply.bulk("startfrom");
    reply.integer(keys.begin());
  }

  private void writeIndex(KeySpec keys) {
    reply.map(2);
    reply.bulk("type");
    reply.bulk("index");
    reply.bulk("spec");
    reply.map(1);
    reply.bulk("index");
    reply.integer(keys.begin());
  }

  private void writeRange(KeySpec keys) {
    reply.map(2);
    reply.bulk("type");
    reply.bulk("range");
    reply.bulk("spec");
    reply.map(3);
    reply.bulk("lastkey");
    reply.integer(keys.last());
    reply.bulk("keystep");
    reply.integer(keys.step());
    reply.bulk("limit");
    reply.integer(0);
  }
}
