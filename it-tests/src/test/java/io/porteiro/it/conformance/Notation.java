package io.porteiro.it.conformance;

import io.porteiro.it.resp.Bytes;
import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Aggregate;
import io.porteiro.it.resp.Reply.Mapping;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How case files write a reply down: one value a line, aggregates with one element a line. */
public final class Notation {
  private static final int LONGEST_BULK = 600;
  private static final int LONGEST_VERBATIM = 2400;
  private static final int LONGEST_ARRAY = 1000;

  private Notation() {}

  /** The canonical lines of a reply, indented by two blanks a level. */
  public static List<String> lines(Reply reply) {
    List<String> lines = new ArrayList<>();
    render(reply, 0, lines);
    return lines;
  }

  /** The canonical text of a reply that is no aggregate. */
  public static String scalar(Reply reply) {
    return switch (reply) {
      case Reply.Simple(String text) -> "+" + Quoting.line(text);
      case Reply.Failure(String text) -> "-" + Quoting.line(text);
      case Reply.Int(long value) -> ":" + value;
      case Reply.Bulk(String bytes) -> bulk(bytes);
      case Reply.Bool(boolean value) -> value ? "#t" : "#f";
      case Reply.Dbl(String text) -> "," + text;
      case Reply.BigNumber(var value) -> "(" + value;
      case Reply.BulkFailure(String bytes) -> "!" + Quoting.quote(bytes);
      case Reply.Verbatim(String format, String bytes) -> verbatim(format, bytes);
      case Reply.Special special -> special(special);
      case Aggregate _, Mapping _ -> throw new IllegalArgumentException("not a scalar");
    };
  }

  private static String special(Reply.Special special) {
    return switch (special) {
      case NULL_BULK -> "nil";
      case NULL_ARRAY -> "nil-array";
      case NULL -> "_";
      case CLOSED, TIMEOUT, NONE -> special.name().toLowerCase(Locale.ROOT);
    };
  }

  private static String bulk(String bytes) {
    return bytes.length() > LONGEST_BULK
        ? "bulk " + bytes.length() + " sha256:" + sha256(bytes)
        : Quoting.quote(bytes);
  }

  private static String verbatim(String format, String bytes) {
    return bytes.length() > LONGEST_VERBATIM
        ? "verbatim-" + format + " " + bytes.length() + " sha256:" + sha256(bytes)
        : "=" + format + ":" + Quoting.quote(bytes);
  }

  private static void render(Reply reply, int depth, List<String> lines) {
    switch (reply) {
      case Aggregate aggregate -> renderAggregate(aggregate, depth, lines);
      case Mapping mapping -> renderMapping(mapping, depth, lines);
      default -> lines.add(indent(depth) + scalar(reply));
    }
  }

  private static void renderAggregate(Aggregate aggregate, int depth, List<String> lines) {
    List<Reply> elements = aggregate.elements();
    String open = opening(aggregate.kind());
    if (elements.isEmpty()) {
      lines.add(indent(depth) + open + "]");
    } else if (aggregate.kind() == Aggregate.Kind.ARRAY && elements.size() > LONGEST_ARRAY) {
      lines.add(indent(depth) + "array " + elements.size() + " sha256:" + arraySha256(elements));
    } else {
      lines.add(indent(depth) + open);
      elements.forEach(element -> render(element, depth + 1, lines));
      lines.add(indent(depth) + "]");
    }
  }

  private static void renderMapping(Mapping mapping, int depth, List<String> lines) {
    String open = mapping.attribute() ? "|{" : "{";
    if (mapping.entries().isEmpty()) {
      lines.add(indent(depth) + open + "}");
      return;
    }
    lines.add(indent(depth) + open);
    for (Map.Entry<Reply, Reply> entry : mapping.entries()) {
      render(entry.getKey(), depth + 1, lines);
      render(entry.getValue(), depth + 2, lines);
    }
    lines.add(indent(depth) + "}");
  }

  private static String opening(Aggregate.Kind kind) {
    return switch (kind) {
      case ARRAY -> "[";
      case SET -> "~[";
      case PUSH -> ">[";
    };
  }

  private static String indent(int depth) {
    return "  ".repeat(depth);
  }

  /** Of the canonical lines of all elements, not indented, joined by newlines. */
  static String arraySha256(List<Reply> elements) {
    List<String> lines = new ArrayList<>();
    elements.forEach(element -> render(element, 0, lines));
    lines.replaceAll(String::strip);
    return sha256(Bytes.utf8(String.join("\n", lines)));
  }

  /** The SHA-256 of a byte string, in hexadecimal. */
  public static String sha256(String bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Bytes.toArray(bytes));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The bytes inside a scalar reply; an integer's are its decimal digits. */
  public static String payload(Reply reply) {
    return switch (reply) {
      case Reply.Simple(String text) -> text;
      case Reply.Failure(String text) -> text;
      case Reply.Bulk(String bytes) -> bytes;
      case Reply.BulkFailure(String bytes) -> bytes;
      case Reply.Verbatim(String _, String bytes) -> bytes;
      case Reply.Dbl(String text) -> text;
      case Reply.Int(long value) -> Long.toString(value);
      case Reply.BigNumber(var value) -> value.toString();
      default -> throw new IllegalArgumentException("no bytes in " + scalar(reply));
    };
  }
}
