package io.porteiro.it.resp;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * One reply of either protocol version, or what came in the place of one. Byte strings are held as
 * {@link Bytes} does.
 */
public sealed interface Reply {
  record Simple(String text) implements Reply {}

  /** {@code -text} */
  record Failure(String text) implements Reply {}

  record Int(long value) implements Reply {}

  record Bulk(String bytes) implements Reply {}

  record Bool(boolean value) implements Reply {}

  /** {@code ,text}: kept as it came, so that tests see how a double was written. */
  record Dbl(String text) implements Reply {
    public double value() {
      return parseDouble(text);
    }
  }

  record BigNumber(BigInteger value) implements Reply {}

  record BulkFailure(String bytes) implements Reply {}

  /** {@code =format:bytes} */
  record Verbatim(String format, String bytes) implements Reply {}

  /** {@code *}, {@code ~} or {@code >} */
  record Aggregate(Kind kind, List<Reply> elements) implements Reply {
    /** The first byte of an aggregate. */
    public enum Kind {
      ARRAY,
      SET,
      PUSH
    }
  }

  /** {@code %} or, with {@code attribute}, {@code |}: entries in the order they came. */
  record Mapping(boolean attribute, List<Map.Entry<Reply, Reply>> entries) implements Reply {}

  /** Replies without content, and the outcomes of reading that are no reply. */
  enum Special implements Reply {
    NULL_BULK,
    NULL_ARRAY,
    NULL,
    /** The server closed the connection. */
    CLOSED,
    /** Nothing came where something was awaited. */
    TIMEOUT,
    /** Nothing came where nothing was awaited. */
    NONE
  }

  static Reply array(Reply... elements) {
    return new Aggregate(Aggregate.Kind.ARRAY, List.of(elements));
  }

  /** Reads C's spelling of a double, {@code inf} and {@code nan} included. */
  static double parseDouble(String text) {
    return switch (text) {
      case "inf", "+inf" -> Double.POSITIVE_INFINITY;
      case "-inf" -> Double.NEGATIVE_INFINITY;
      case "nan", "-nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  /** The value of an integer or boolean (0 or 1) reply. */
  default long asLong() {
    return switch (this) {
      case Int(long value) -> value;
      case Bool(boolean value) -> value ? 1 : 0;
      default -> throw new IllegalStateException("not an integer: " + this);
    };
  }

  /** The bytes of a bulk reply. */
  default String asBytes() {
    if (this instanceof Bulk(String bytes)) {
      return bytes;
    }
    throw new IllegalStateException("not a bulk string: " + this);
  }

  /** The elements of an array, set or push. */
  default List<Reply> asList() {
    if (this instanceof Aggregate(Aggregate.Kind _, List<Reply> elements)) {
      return elements;
    }
    throw new IllegalStateException("not an array: " + this);
  }
}
