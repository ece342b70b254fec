package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.BuiltInModule;
import io.porteiro.server.command.CommandFlag;
import io.porteiro.server.command.CommandSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What COMMAND DOCS tells of each command: read from {@code commands.txt} at first use. */
final class CommandDocs {
  /** What is known of one command. */
  private static final class Doc {
    private final String since;
    private final String group;
    private final String complexity;
    private final String summary;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private final List<DocArgument> arguments = new ArrayList<>();

    Doc(String line) {
      List<String> columns = List.of(line.split("\t", -1));
      since = columns.get(1);
      group = columns.get(2);
      complexity = columns.get(3);
      summary = columns.get(4);
    }
  }

  private static final class Holder {
    private static final CommandDocs SHARED = new CommandDocs();
  }

  private final Map<String, Doc> docs = new LinkedHashMap<>();
  private final Deque<DocArgument> open = new ArrayDeque<>();
  private @Nullable Doc current;

  private CommandDocs() {
    try (InputStream in = CommandDocs.class.getResourceAsStream("commands.txt");
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.US_ASCII))) {
      reader.lines().filter(line -> !line.startsWith("#")).forEach(this::read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CommandDocs shared() {
    return Holder.SHARED;
  }

  private void read(String line) {
    if (line.startsWith("  !")) {
      readField(line.substring(3));
    } else if (line.startsWith("  ")) {
      readArgument(line.strip());
    } else {
      open.clear();
      current = new Doc(line);
      docs.put(line.substring(0, line.indexOf('\t')), current);
    }
  }

  private void readField(String line) {
    int blank = line.indexOf(' ');
    Objects.requireNonNull(current).fields.put(line.substring(0, blank), line.substring(blank + 1));
  }

  private void readArgument(String line) {
    int depth = line.lastIndexOf('>') + 1;
    DocArgument argument = DocArgument.parse(line.substring(depth));
    while (open.size() > depth) {
      open.pop();
    }
    if (open.isEmpty()) {
      Objects.requireNonNull(current).arguments.add(argument);
    } else {
      open.element().add(argument);
    }
    open.push(argument);
  }

  /** Whether a command is described. */
  boolean has(String fullName) {
    return docs.containsKey(fullName);
  }

  Collection<String> names() {
    return docs.keySet();
  }

  /** The map of one command. */
  void write(CommandSpec spec, ReplyWriter reply) {
    Doc doc = docs.get(spec.fullName());
    int place = reply.defer();
    reply.deferredMap(place, doc == null ? 0 : write(doc, spec, reply));
  }

  /** How many entries were written. */
  private int write(Doc doc, CommandSpec spec, ReplyWriter reply) {
    int entries = 3;
    field("summary", doc.summary, reply);
    field("since", doc.since, reply);
    field("group", doc.group, reply);
    if (!doc.complexity.isEmpty()) {
      field("complexity", doc.complexity, reply);
      entries++;
    }
    if (spec.has(CommandFlag.MODULE)) {
      field("module", BuiltInModule.NAME, reply);
      entries++;
    }
    entries += writeFields(doc, reply);
    entries += writeArguments(doc, reply);
    return entries + writeSubcommands(spec, reply);
  }

  private static void field(String name, String value, ReplyWriter reply) {
    reply.bulk(name);
    reply.bulk(value);
  }

  private static int writeFields(Doc doc, ReplyWriter reply) {
    doc.fields.forEach((name, value) -> {
      if (name.equals("doc_flag")) {
        reply.bulk("doc_flags");
        reply.set(1);
        reply.simpleString(value);
      } else {
        field(name, value, reply);
      }
    });
    return doc.fields.size();
  }

  private static int writeArguments(Doc doc, ReplyWriter reply) {
    if (doc.arguments.isEmpty()) {
      return 0;
    }
    reply.bulk("arguments");
    DocArgument.writeAll(doc.arguments, reply);
    return 1;
  }

  private int writeSubcommands(CommandSpec spec, ReplyWriter reply) {
    if (spec.subcommands().isEmpty()) {
      return 0;
    }
    reply.bulk("subcommands");
    reply.map(spec.subcommands().size());
    spec.subcommands()
        .forEach(subcommand -> {
          reply.bulk(subcommand.fullName());
          write(subcommand, reply);
        });
    return 1;
  }
}
