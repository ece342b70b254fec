package io.porteiro.server.config;

/** The classes of keyspace events, {@code notify-keyspace-events}: a letter and a bit for each. */
public final class EventClasses {
  public static final int KEYSPACE = 1;
  public static final int KEYEVENT = 1 << 1;
  public static final int GENERIC = 1 << 2;
  public static final int STRING = 1 << 3;
  public static final int LIST = 1 << 4;
  public static final int SET = 1 << 5;
  public static final int HASH = 1 << 6;
  public static final int ZSET = 1 << 7;
  public static final int EXPIRED = 1 << 8;
  public static final int EVICTED = 1 << 9;
  public static final int STREAM = 1 << 10;
  public static final int KEY_MISS = 1 << 11;
  public static final int MODULE = 1 << 13;
  public static final int NEW = 1 << 14;

  /** What {@code A} stands for: all but key misses and new keys, which would flood a listener. */
  public static final int ALL =
      GENERIC | STRING | LIST | SET | HASH | ZSET | EXPIRED | EVICTED | STREAM | MODULE;

  private static final String LETTERS = "g$lshzxetdnKEm";
  private static final int[] BITS = {
    GENERIC, STRING, LIST, SET, HASH, ZSET, EXPIRED, EVICTED, STREAM, MODULE, NEW, KEYSPACE,
    KEYEVENT, KEY_MISS
  };
  private static final int LETTERS_IN_ALL = 10;

  private EventClasses() {}

  static int parse(String letters) throws ConfigException {
    int classes = 0;
    for (int i = 0; i < letters.length(); i++) {
      classes |= letters.charAt(i) == 'A' ? ALL : bit(letters.charAt(i));
    }
    return classes;
  }

  private static int bit(char letter) throws ConfigException {
    int index = LETTERS.indexOf(letter);
    if (index < 0) {
      throw new ConfigException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
    }
    return BITS[index];
  }

  /** The letters in Redis's order, {@code A} where all of its classes are there. */
  static String text(int classes) {
    boolean all = (classes & ALL) == ALL;
    StringBuilder letters = new StringBuilder(all ? "A" : "");
    for (int i = all ? LETTERS_IN_ALL : 0; i < BITS.length; i++) {
      if ((classes & BITS[i]) != 0) {
        letters.append(LETTERS.charAt(i));
      }
    }
    return letters.toString();
  }
}
