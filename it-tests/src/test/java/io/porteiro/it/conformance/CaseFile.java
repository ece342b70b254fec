package io.porteiro.it.conformance;

import io.porteiro.it.conformance.ConformanceCase.Op;
import io.porteiro.it.conformance.ConformanceCase.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a {@code *.case} file: line based, the grammar is in the corpus's README. */
public final class CaseFile {
  private static final Pattern EXCHANGE =
      Pattern.compile("(\\d+)?(>!|>|<!|<|gen>|raw>|raw<)(?:\\s+(.*))?");
  private static final Pattern OTHER = Pattern.compile("(wait|save|close|open)\\b\\s*(.*)");
  private static final String PEER_BUG = "! peer-bug:";

  private final List<ConformanceCase> cases = new ArrayList<>();
  private @Nullable Step step;
  private boolean inFixed;

  private CaseFile() {}

  /** The cases of a file, in order. */
  public static List<ConformanceCase> parse(String text) {
    CaseFile file = new CaseFile();
    int line = 0;
    for (String content : text.split("\n", -1)) {
      file.read(++line, content);
    }
    return file.cases;
  }

  private void read(int line, String content) {
    if (content.startsWith("===")) {
      header(line, content.substring(3));
    } else if (cases.isEmpty() || isComment(content)) {
      return;
    } else if (content.startsWith(PEER_BUG)) {
      inFixed = true;
    } else if (!directive(line, content)) {
      expectation(line, content);
    }
  }

  private static boolean isComment(String content) {
    return content.isBlank() || content.equals("#") || content.startsWith("# ");
  }

  private void header(int line, String content) {
    List<String> words = Arrays.stream(content.strip().split("\\s+", -1)).toList();
    Set<String> tags =
        words.stream()
            .filter(word -> word.startsWith("@"))
            .map(word -> word.substring(1))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    String name =
        words.stream().filter(word -> !word.startsWith("@")).collect(Collectors.joining(" "));
    cases.add(new ConformanceCase(name, tags, line, new ArrayList<>()));
    step = null;
  }

  private boolean directive(int line, String content) {
    Matcher exchange = EXCHANGE.matcher(content);
    if (exchange.matches()) {
      int connection = exchange.group(1) == null ? 1 : Integer.parseInt(exchange.group(1));
      String argument = exchange.group(3) == null ? "" : exchange.group(3);
      begin(line, content, connection, exchange.group(2), argument);
      return true;
    }
    Matcher other = OTHER.matcher(content);
    if (other.matches()) {
      begin(line, content, 1, other.group(1), other.group(2));
      return true;
    }
    return false;
  }

  private void begin(int line, String content, int connection, String sign, String argument) {
    step =
        new Step(
            line, content, connection, Op.of(sign), argument, new ArrayList<>(), new ArrayList<>());
    inFixed = false;
    cases.getLast().steps().add(step);
  }

  private void expectation(int line, String content) {
    if (step == null) {
      throw new IllegalArgumentException("line " + line + ": an expectation without a step");
    }
    (inFixed ? step.fixed() : step.expected()).add(content);
  }
}
