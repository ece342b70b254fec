package io.porteiro.it.commands;

import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says of its commands in COMMAND and COMMAND DOCS, as plain values that can be
 * compared: numbers, texts, lists, and maps by name. Subcommands stand beside the commands.
 *
 * <p>Left out is what is prose, and so each server's own: summaries, histories, what stands behind
 * the formula of a complexity; and how an argument is shown, which old servers do not tell.
 */
public final class CommandCatalogue {
  private static final List<String> INFO =
      List.of("name", "arity", "flags", "first", "last", "step", "categories", "tips", "keySpecs");
  private static final int SUBCOMMANDS = 9;
  private static final Pattern FORMULA = Pattern.compile("O\\([^)]*\\)");
  private static final Set<String> PROSE = Set.of("summary", "history");

  private final Map<String, Map<String, Object>> commands = new TreeMap<>();

  private CommandCatalogue() {}

  /** Asks over a connection that speaks RESP2. */
  public static CommandCatalogue of(RawConnection connection) {
    CommandCatalogue catalogue = new CommandCatalogue();
    connection.call("COMMAND").asList().forEach(catalogue::addInfo);
    catalogue.addDocs(connection.call("COMMAND", "DOCS").asList());
    return catalogue;
  }

  /** Names in lower case; of a subcommand {@code config|get}. */
  public Set<String> names() {
    return commands.keySet();
  }

  /** All that is said of a command. */
  public Map<String, Object> of(String name) {
    return commands.getOrDefault(name, Map.of());
  }

  /** What a command takes, as COMMAND DOCS tells it. */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> arguments(String name) {
    return (List<Map<String, Object>>) of(name).getOrDefault("arguments", List.of());
  }

  public long arity(String name) {
    return (Long) of(name).getOrDefault("arity", 0L);
  }

  private void addInfo(Reply command) {
    List<Reply> fields = command.asList();
    Map<String, Object> known = known(text(fields.getFirst()));
    for (int i = 1; i < INFO.size(); i++) {
      known.put(INFO.get(i), info(INFO.get(i), fields.get(i)));
    }
    fields.get(SUBCOMMANDS).asList().forEach(this::addInfo);
  }

  private static Object info(String name, Reply value) {
    return switch (name) {
      case "flags", "categories", "tips" -> sorted(value);
      case "keySpecs" -> value.asList().stream().map(CommandCatalogue::keySpec).toList();
      default -> plain(value);
    };
  }

  private static Map<String, Object> keySpec(Reply spec) {
    Map<String, Object> fields = new TreeMap<>();
    map(spec)
        .forEach((name, value) -> {
          if (!name.equals("notes")) {
            fields.put(name, name.equals("flags") ? sorted(value) : plain(value));
          }
        });
    return fields;
  }

  private static List<String> sorted(Reply names) {
    return names.asList().stream().map(CommandCatalogue::text).sorted().toList();
  }

  private Map<String, Object> known(String name) {
    return commands.computeIfAbsent(name, _ -> new TreeMap<>());
  }

  private void addDocs(List<Reply> namesAndDocs) {
    for (int i = 0; i < namesAndDocs.size(); i += 2) {
      Map<String, Object> known = known(text(namesAndDocs.get(i)));
      map(namesAndDocs.get(i + 1)).forEach((field, value) -> addDoc(known, field, value));
    }
  }

  private void addDoc(Map<String, Object> known, String field, Reply value) {
    switch (field) {
      case "subcommands" -> addDocs(value.asList());
      case "arguments" -> known.put(field, arguments(value));
      case "complexity" -> addFormula(known, text(value));
      default -> {
        if (!PROSE.contains(field)) {
          known.put(field, plain(value));
        }
      }
    }
  }

  private static void addFormula(Map<String, Object> known, String complexity) {
    Matcher formula = FORMULA.matcher(complexity);
    if (formula.find()) {
      known.put("complexity", formula.group());
    }
  }

  private static List<Map<String, Object>> arguments(Reply list) {
    List<Map<String, Object>> arguments = new ArrayList<>();
    for (Reply one : list.asList()) {
      Map<String, Object> argument = new TreeMap<>();
      map(one)
          .forEach((field, value) -> {
            if (!field.equals("display_text")) {
              argument.put(field, field.equals("arguments") ? arguments(value) : plain(value));
            }
          });
      arguments.add(argument);
    }
    return arguments;
  }

  private static Map<String, Reply> map(Reply flat) {
    List<Reply> list = flat.asList();
    Map<String, Reply> map = new TreeMap<>();
    for (int i = 0; i < list.size(); i += 2) {
      map.put(text(list.get(i)), list.get(i + 1));
    }
    return map;
  }

  private static Object plain(Reply reply) {
    return switch (reply) {
      case Reply.Int(long value) -> value;
      case Reply.Aggregate aggregate ->
          aggregate.elements().stream().map(CommandCatalogue::plain).toList();
      default -> text(reply);
    };
  }

  private static String text(Reply reply) {
    return reply instanceof Reply.Simple(String text) ? text : reply.asBytes();
  }
}
