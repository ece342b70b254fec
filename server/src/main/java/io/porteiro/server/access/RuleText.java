package io.porteiro.server.access;

import java.util.ArrayList;
import java.util.List;

/** Rules as words: which may be one, and how those of a selector are held together. */
public final class RuleText {
  private RuleText() {}

  /** Whether a name or pattern has a character that a line of an access file cannot hold. */
  public static boolean hasSpaces(String text) {
    return text.chars().anyMatch(c -> c == 0 || isSpace(c));
  }

  /** As C's isspace has it. */
  private static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  /**
   * Puts the words of each selector together: {@code (+get}, {@code ~a)} are one rule.
   *
   * @throws OpenSelectorException where a parenthesis is not closed
   */
  public static List<String> mergeSelectors(List<String> words) throws OpenSelectorException {
    List<String> rules = new ArrayList<>();
    StringBuilder selector = new StringBuilder();
    String start = "";
    for (String word : words) {
      if (!selector.isEmpty()) {
        selector.append(' ').append(word);
      } else if (word.startsWith("(") && !word.endsWith(")")) {
        selector.append(word);
        start = word;
      } else {
        rules.add(word);
      }
      if (!selector.isEmpty() && word.endsWith(")")) {
        rules.add(selector.toString());
        selector.setLength(0);
      }
    }
    if (!selector.isEmpty()) {
      throw new OpenSelectorException(start);
    }
    return rules;
  }

  /** The words between single blanks or runs of them, as lines of an access file are read. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }
}
