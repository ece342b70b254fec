package io.porteiro.it.kill;

import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.List;
import java.util.function.Consumer;

/**
 * A command, or a transaction from MULTI to EXEC, and what it does to the state. The last reply
 * acknowledges it.
 */
record Operation(List<List<String>> commands, Consumer<State> effect) {
  static Operation of(Consumer<State> effect, String... words) {
    return new Operation(List.of(List.of(words)), effect);
  }

  String encoded() {
    StringBuilder request = new StringBuilder();
    for (List<String> words : commands) {
      request.append(RawConnection.encode(words.toArray(String[]::new)));
    }
    return request.toString();
  }

  /**
   * Reads the replies.
   *
   * @return whether all of them came
   * @throws IllegalStateException at an error that the state does not explain
   */
  boolean isAcknowledged(RawConnection connection) {
    for (List<String> words : commands) {
      Reply reply = connection.read();
      if (reply instanceof Reply.Special) {
        return false;
      }
      if (reply instanceof Reply.Failure(String text) && !isExplained(text)) {
        throw new IllegalStateException(words + " answered " + text);
      }
    }
    return true;
  }

  /** A filter that is there already, a key to be renamed that is not: no effect. */
  private static boolean isExplained(String error) {
    return error.equals("ERR item exists") || error.equals("ERR no such key");
  }

  @Override
  public String toString() {
    return commands.toString();
  }
}
