package io.porteiro.it.conformance;

import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Aggregate.Kind;
import io.porteiro.it.resp.Reply.Special;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the expectation of one step from its lines. */
final class ExpectationParser {
  private static final Pattern AGGREGATE =
      Pattern.compile("(unordered|superset)?([~>|])?([\\[{])([]}])?");
  private static final Pattern DIGEST =
      Pattern.compile("(bulk|array|verbatim-\\w+) (\\d+) sha256:([0-9a-f]{64})");
  private static final Pattern NEAR = Pattern.compile("~(-?[0-9.]+)(?:±|\\+-)([0-9.]+)(%?)");
  private static final Pattern SAVED = Pattern.compile("\\$\\{(\\w+)}");
  private static final Pattern VERBATIM = Pattern.compile("=(\\w{3}):(\".*\")");

  private final List<String> lines;
  private int next;

  private ExpectationParser(List<String> lines) {
    this.lines = lines.stream().map(String::strip).toList();
  }

  /** The one expectation that {@code lines} hold. */
  static Expectation parse(List<String> lines) {
    ExpectationParser parser = new ExpectationParser(lines);
    Expectation expectation = parser.value();
    if (parser.next < parser.lines.size()) {
      throw new IllegalArgumentException("more than one expectation: " + lines);
    }
    return expectation;
  }

  private String take() {
    if (next == lines.size()) {
      throw new IllegalArgumentException("an unfinished aggregate: " + lines);
    }
    return lines.get(next++);
  }

  private boolean accept(String line) {
    boolean found = next < lines.size() && lines.get(next).equals(line);
    next += found ? 1 : 0;
    return found;
  }

  private Expectation value() {
    String line = take();
    Matcher aggregate = AGGREGATE.matcher(line);
    return aggregate.matches() ? aggregate(aggregate) : scalar(line);
  }

  // ------------------------------------------------------------------ aggregates

  private Expectation aggregate(Matcher opening) {
    boolean empty = opening.group(4) != null;
    boolean superset = "superset".equals(opening.group(1));
    if (opening.group(3).equals("{")) {
      return entries("|".equals(opening.group(2)), empty, superset);
    }
    Expectation.Order order =
        superset
            ? Expectation.Order.SUPERSET
            : opening.group(1) == null ? Expectation.Order.AS_LISTED : Expectation.Order.ANY;
    return elements(kind(opening.group(2)), empty, order);
  }

  private static Kind kind(@Nullable String prefix) {
    return prefix == null ? Kind.ARRAY : prefix.equals("~") ? Kind.SET : Kind.PUSH;
  }

  private Expectation elements(Kind kind, boolean empty, Expectation.Order order) {
    List<Expectation> elements = new ArrayList<>();
    boolean open = false;
    while (!empty && !accept("]")) {
      if (accept("...")) {
        open = true;
      } else {
        elements.add(value());
      }
    }
    return new Expectation.Elements(kind, elements, order, open);
  }

  private Expectation entries(boolean attribute, boolean empty, boolean superset) {
    List<Map.Entry<Expectation, Expectation>> entries = new ArrayList<>();
    boolean open = superset;
    while (!empty && !accept("}")) {
      if (accept("...")) {
        open = true;
      } else {
        entries.add(Map.entry(value(), value()));
      }
    }
    return new Expectation.Entries(attribute, entries, open);
  }

  // ------------------------------------------------------------------ single values

  private static Expectation scalar(String line) {
    return switch (line) {
      case "*" -> new Expectation.Any();
      case ":*" -> new Expectation.OfType(Reply.Int.class);
      case "+*" -> new Expectation.OfType(Reply.Simple.class);
      case "-*" -> new Expectation.OfType(Reply.Failure.class);
      case ",*" -> new Expectation.OfType(Reply.Dbl.class);
      case "#*" -> new Expectation.OfType(Reply.Bool.class);
      case "\"*\"" -> new Expectation.OfType(Reply.Bulk.class);
      case "#t", "#f" -> exactly(new Reply.Bool(line.equals("#t")));
      case "nil" -> exactly(Special.NULL_BULK);
      case "nil-array" -> exactly(Special.NULL_ARRAY);
      case "_" -> exactly(Special.NULL);
      case "closed" -> exactly(Special.CLOSED);
      case "timeout" -> exactly(Special.TIMEOUT);
      case "none" -> exactly(Special.NONE);
      default -> wildcard(line);
    };
  }

  private static Expectation wildcard(String line) {
    Matcher near = NEAR.matcher(line);
    Matcher digest = DIGEST.matcher(line);
    Matcher saved = SAVED.matcher(line);
    if (near.matches()) {
      return near(near);
    } else if (digest.matches()) {
      return digest(digest);
    } else if (saved.matches()) {
      return new Expectation.Saved(saved.group(1));
    } else if (line.startsWith("has ")) {
      return new Expectation.Has(Quoting.words(line.substring(4)));
    } else if (line.length() > 1 && line.startsWith("/") && line.endsWith("/")) {
      return new Expectation.Text(Pattern.compile(line.substring(1, line.length() - 1)));
    }
    return exactly(literal(line));
  }

  private static Expectation near(Matcher near) {
    double value = Double.parseDouble(near.group(1));
    double tolerance = Double.parseDouble(near.group(2));
    boolean percent = !near.group(3).isEmpty();
    return new Expectation.Near(value, percent ? Math.abs(value) * tolerance / 100 : tolerance);
  }

  private static Expectation digest(Matcher digest) {
    int length = Integer.parseInt(digest.group(2));
    return digest.group(1).equals("array")
        ? new Expectation.ArrayDigest(length, digest.group(3))
        : new Expectation.Digest(!digest.group(1).equals("bulk"), length, digest.group(3));
  }

  private static Expectation exactly(Reply reply) {
    return new Expectation.Exactly(reply);
  }

  private static Reply literal(String line) {
    Matcher verbatim = VERBATIM.matcher(line);
    if (verbatim.matches()) {
      return new Reply.Verbatim(verbatim.group(1), Quoting.words(verbatim.group(2)).getFirst());
    }
    String rest = line.isEmpty() ? "" : line.substring(1);
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '+' -> new Reply.Simple(Quoting.unescape(rest));
      case '-' -> new Reply.Failure(Quoting.unescape(rest));
      case ':' -> new Reply.Int(Long.parseLong(rest));
      case ',' -> new Reply.Dbl(rest);
      case '(' -> new Reply.BigNumber(new BigInteger(rest));
      case '"' -> new Reply.Bulk(String.join("", Quoting.words(line)));
      case '!' -> new Reply.BulkFailure(Quoting.words(rest).getFirst());
      default -> throw new IllegalArgumentException("not an expectation: " + line);
    };
  }
}
