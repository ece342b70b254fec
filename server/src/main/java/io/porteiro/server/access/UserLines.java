package io.porteiro.server.access;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the lines of a file of users, and collects all that is wrong with them. */
final class UserLines {
  private static final String NOTHING_CHANGED =
      "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

  private final Users users;
  private final String file;
  private final Map<String, Rights> found = new LinkedHashMap<>();
  private final StringBuilder errors = new StringBuilder();

  /**
   * @param file its name, for errors
   */
  UserLines(Users users, String file) {
    this.users = users;
    this.file = file;
  }

  Map<String, Rights> parse(String text) throws UserFileException {
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line = lines[i].strip();
      if (!line.isEmpty()) {
        parseLine(file + ":" + (i + 1), i + 1, RuleText.words(line));
      }
    }
    if (!errors.isEmpty()) {
      throw new UserFileException(errors + NOTHING_CHANGED);
    }
    return found;
  }

  private void parseLine(String place, int number, List<String> words) {
    if (words.size() < 2 || !words.getFirst().equals("user")) {
      add(place + " should start with user keyword followed by the username. ");
      return;
    }
    String name = words.get(1);
    if (RuleText.hasSpaces(name)) {
      add(place + ": username '" + name + "' contains invalid characters. ");
    } else if (found.containsKey(name)) {
      add("WARNING: Duplicate user '" + name + "' found on line " + number + ". ");
    } else {
      found.put(name, rights(place, words.subList(2, words.size())));
    }
  }

  private void add(String error) {
    errors.append(error);
  }

  private Rights rights(String place, List<String> words) {
    UserRules rules = users.rulesOfNew();
    try {
      apply(place, rules, RuleText.mergeSelectors(words));
    } catch (OpenSelectorException e) {
      add(place + ": " + e.getMessage());
    }
    return rules.build();
  }

  /** Names that are unknown are all told, of other errors the first: it may cause the rest. */
  private void apply(String place, UserRules user, List<String> rules) {
    boolean told = false;
    for (String rule : rules) {
      try {
        user.apply(rule);
      } catch (RuleException e) {
        if (e.error() == RuleError.UNKNOWN_COMMAND) {
          add(place + ": Error in applying operation '" + rule + "': " + e.error().text() + ". ");
        } else if (!told) {
          add(place + ": " + e.error().text() + ". ");
          told = true;
        }
      }
    }
  }
}
