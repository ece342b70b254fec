package io.porteiro.server.command.admin;

import io.porteiro.protocol.ReplyWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One argument in COMMAND DOCS; blocks and choices have arguments of their own. */
final class DocArgument {
  private final String name;
  private final String type;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private final List<String> flags = new ArrayList<>();
  private final List<DocArgument> arguments = new ArrayList<>();

  private DocArgument(String name, String type) {
    this.name = name;
    this.type = type;
  }

  /** Reads {@code name type spec=0 token=EX since=6.0.0 optional}. */
  static DocArgument parse(String line) {
    List<String> words = List.of(line.split(" ", -1));
    DocArgument argument = new DocArgument(words.get(0), words.get(1));
    for (String word : words.subList(2, words.size())) {
      argument.parseProperty(word);
    }
    return argument;
  }

  private void parseProperty(String word) {
    int equals = word.indexOf('=');
    if (equals < 0) {
      flags.add(word);
    } else {
      properties.put(word.substring(0, equals), word.substring(equals + 1));
    }
  }

  void add(DocArgument argument) {
    arguments.add(argument);
  }

  static void writeAll(List<DocArgument> arguments, ReplyWriter reply) {
    reply.array(arguments.size());
    arguments.forEach(argument -> argument.write(reply));
  }

  private void write(ReplyWriter reply) {
    int place = reply.defer();
    int entries = 2;
    field("name", name, reply);
    field("type", type, reply);
    if (!type.equals("block") && !type.equals("oneof")) {
      field("display_text", properties.getOrDefault("display", name), reply);
      entries++;
    }
    entries += writeProperties(reply);
    reply.deferredMap(place, entries);
  }

  private int writeProperties(ReplyWriter reply) {
    int entries = 0;
    if (properties.containsKey("spec")) {
      reply.bulk("key_spec_index");
      reply.integer(Long.parseLong(properties.getOrDefault("spec", "0")));
      entries++;
    }
    for (String property : List.of("token", "since", "deprecated_since")) {
      if (properties.containsKey(property)) {
        field(property, properties.getOrDefault(property, ""), reply);
        entries++;
      }
    }
    return entries + writeFlags(reply) + writeArguments(reply);
  }

  private int writeFlags(ReplyWriter reply) {
    if (flags.isEmpty()) {
      return 0;
    }
    reply.bulk("flags");
    reply.set(flags.size());
    flags.forEach(reply::simpleString);
    return 1;
  }

  private int writeArguments(ReplyWriter reply) {
    if (arguments.isEmpty()) {
      return 0;
    }
    reply.bulk("arguments");
    writeAll(arguments, reply);
    return 1;
  }

  private static void field(String name, String value, ReplyWriter reply) {
    reply.bulk(name);
    reply.bulk(value);
  }
}
