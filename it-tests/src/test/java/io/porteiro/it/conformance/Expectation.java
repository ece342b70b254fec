package io.porteiro.it.conformance;

import io.porteiro.it.resp.Reply;
import io.porteiro.it.resp.Reply.Aggregate;
import io.porteiro.it.resp.Reply.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a reply must be: one line of a case file, or the lines of an aggregate. */
sealed interface Expectation {
  /** Whether {@code reply} is as expected; {@code saved} are the case's saved values. */
  boolean matches(Reply reply, Map<String, Reply> saved);

  /** {@code *} */
  record Any() implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return reply != Reply.Special.CLOSED && reply != Reply.Special.TIMEOUT;
    }
  }

  /** {@code :*} and its kin */
  record OfType(Class<? extends Reply> type) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return type.isInstance(reply);
    }
  }

  /** A literal value; doubles are compared as numbers. */
  record Exactly(Reply value) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      if (value instanceof Reply.Dbl expected && reply instanceof Reply.Dbl actual) {
        return expected.equals(actual) || expected.value() == actual.value();
      }
      return value.equals(reply);
    }
  }

  /** <code>${NAME}</code> */
  record Saved(String name) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return reply.equals(saved.get(name));
    }
  }

  /** {@code has "a" "b"} */
  record Has(List<String> parts) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return switch (reply) {
        case Reply.Simple _, Reply.Failure _, Reply.Bulk _, Reply.BulkFailure _, Reply.Verbatim _ ->
            parts.stream().allMatch(Notation.payload(reply)::contains);
        default -> false;
      };
    }
  }

  /** {@code bulk N sha256:H} and {@code verbatim-fmt N sha256:H} */
  record Digest(boolean verbatim, int length, String sha256) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      if (!(verbatim ? reply instanceof Reply.Verbatim : reply instanceof Reply.Bulk)) {
        return false;
      }
      String bytes = Notation.payload(reply);
      return bytes.length() == length && Notation.sha256(bytes).equals(sha256);
    }
  }

  /** {@code array N sha256:H} */
  record ArrayDigest(int length, String sha256) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return reply instanceof Aggregate(Aggregate.Kind kind, List<Reply> elements)
          && kind == Aggregate.Kind.ARRAY
          && elements.size() == length
          && Notation.arraySha256(elements).equals(sha256);
    }
  }

  /** {@code /REGEX/} */
  record Text(Pattern pattern) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return switch (reply) {
        case Aggregate _, Mapping _ -> false;
        case Reply.Bulk(String bytes) -> pattern.matcher(Quoting.quote(bytes)).matches();
        default -> pattern.matcher(Notation.scalar(reply)).matches();
      };
    }
  }

  /** {@code ~N±A} or {@code ~N±P%} */
  record Near(double value, double tolerance) implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      Double number = number(reply);
      return number != null && Math.abs(number - value) <= tolerance;
    }

    private static @Nullable Double number(Reply reply) {
      return switch (reply) {
        case Reply.Int(long integer) -> (double) integer;
        case Reply.BigNumber(var big) -> big.doubleValue();
        case Reply.Dbl dbl -> dbl.value();
        case Reply.Bulk(String bytes) -> parse(bytes);
        default -> null;
      };
    }

    private static @Nullable Double parse(String text) {
      try {
        return Reply.parseDouble(text);
      } catch (NumberFormatException _) {
        return null;
      }
    }
  }

  /** How the elements of an aggregate are compared. */
  enum Order {
    AS_LISTED,
    ANY,
    /** In any order, and there may be more. */
    SUPERSET
  }

  /** {@code [ ... ]} of any kind; {@code open} where the last line was {@code ...}. */
  record Elements(Aggregate.Kind kind, List<Expectation> elements, Order order, boolean open)
      implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      return reply instanceof Aggregate(Aggregate.Kind actual, List<Reply> values)
          && actual == kind
          && sizeFits(elements.size(), values.size(), open || order == Order.SUPERSET)
          && (isOrdered() ? inOrder(values, saved) : inAnyOrder(values, saved));
    }

    private boolean isOrdered() {
      return order == Order.AS_LISTED && kind != Aggregate.Kind.SET;
    }

    private boolean inOrder(List<Reply> values, Map<String, Reply> saved) {
      for (int i = 0; i < elements.size(); i++) {
        if (!elements.get(i).matches(values.get(i), saved)) {
          return false;
        }
      }
      return true;
    }

    private boolean inAnyOrder(List<Reply> values, Map<String, Reply> saved) {
      List<Reply> left = new ArrayList<>(values);
      return elements.stream()
          .allMatch(element -> removeFirst(left, value -> element.matches(value, saved)));
    }
  }

  /** {@code { ... }}; the order of entries never matters. */
  record Entries(boolean attribute, List<Map.Entry<Expectation, Expectation>> entries, boolean open)
      implements Expectation {
    @Override
    public boolean matches(Reply reply, Map<String, Reply> saved) {
      if (!(reply instanceof Mapping mapping) || mapping.attribute() != attribute) {
        return false;
      }
      List<Map.Entry<Reply, Reply>> left = new ArrayList<>(mapping.entries());
      return sizeFits(entries.size(), left.size(), open)
          && entries.stream()
              .allMatch(entry -> removeFirst(left, actual -> matches(entry, actual, saved)));
    }

    private static boolean matches(
        Map.Entry<Expectation, Expectation> expected,
        Map.Entry<Reply, Reply> actual,
        Map<String, Reply> saved) {
      return expected.getKey().matches(actual.getKey(), saved)
          && expected.getValue().matches(actual.getValue(), saved);
    }
  }

  private static boolean sizeFits(int expected, int actual, boolean open) {
    return open ? actual >= expected : actual == expected;
  }

  private static <T> boolean removeFirst(List<T> values, Predicate<T> predicate) {
    for (int i = 0; i < values.size(); i++) {
      if (predicate.test(values.get(i))) {
        values.remove(i);
        return true;
      }
    }
    return false;
  }
}
