package io.porteiro.server.config;

/**
 * The classes of keyspace events: a letter for each, and {@code A} for all but key misses and new
 * keys, which would flood a listener.
 */
final class EventClasses {
  private static final String IN_ALL = "g$lshzxetd";

  /** In the order in which Redis shows them. */
  private static final String LETTERS = IN_ALL + "nKEm";

  private EventClasses() {}

  /** The letters in Redis's order, each once, {@code A} where all of its classes are there. */
  static String inOrder(String letters) throws ConfigException {
    for (int i = 0; i < letters.length(); i++) {
      requireClass(letters.charAt(i));
    }
    boolean all = letters.indexOf('A') >= 0 || IN_ALL.chars().allMatch(c -> has(letters, c));
    StringBuilder ordered = new StringBuilder(all ? "A" : "");
    for (int i = all ? IN_ALL.length() : 0; i < LETTERS.length(); i++) {
      if (has(letters, LETTERS.charAt(i))) {
        ordered.append(LETTERS.charAt(i));
      }
    }
    return ordered.toString();
  }

  private static void requireClass(char letter) throws ConfigException {
    if (letter != 'A' && !has(LETTERS, letter)) {
      throw new ConfigException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }
  }

  private static boolean has(String letters, int letter) {
    return letters.indexOf(letter) >= 0;
  }
}
