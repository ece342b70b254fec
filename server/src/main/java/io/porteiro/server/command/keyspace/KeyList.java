package io.porteiro.server.command.keyspace;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.CommandContext;
import io.porteiro.server.glob.GlobPattern;
import io.porteiro.server.store.Entry;

/** The answer to KEYS: written while the keys are visited, so that no list of them is kept. */
final class KeyList {
  private final CommandContext context;
  private final GlobPattern pattern;
  private final boolean all;
  private final ReplyWriter reply;
  private long count;

  KeyList(CommandContext context, GlobPattern pattern, ReplyWriter reply) {
    this.context = context;
    this.pattern = pattern;
    this.all = pattern.isStar();
    this.reply = reply;
  }

  void add(Entry entry) {
    if ((all || pattern.matches(entry.key())) && !context.isExpired(entry)) {
      reply.bulk(entry.key());
      count++;
    }
  }

  long count() {
    return count;
  }
}
