package io.porteiro.server.store;

/**
 * What happened to a key, as keyspace notifications name it.
 *
 * @param type the class by which `notify-keyspace-events` selects
 * @param name the event, say {@code expire}
 * @see <a href="https://redis.io/docs/latest/develop/use/keyspace-notifications/">Redis keyspace
 *     notifications</a>
 */
public record KeyspaceEvent(Type type, String name) {
  /**
   * The classes of events, each with its letter in `notify-keyspace-events` and a bit of its own.
   */
  public enum Type {
    GENERIC('g', 1),
    STRING('$', 1 << 1),
    EXPIRED('x', 1 << 2),
    EVICTED('e', 1 << 3),
    MODULE('d', 1 << 4),
    KEY_MISS('m', 1 << 5),
    NEW_KEY('n', 1 << 6);

    private final char letter;
    private final int bit;

    Type(char letter, int bit) {
      this.letter = letter;
      this.bit = bit;
    }

    public char letter() {
      return letter;
    }

    public int bit() {
      return bit;
    }
  }

  public static final KeyspaceEvent DEL = generic("del");
  public static final KeyspaceEvent EXPIRED = new KeyspaceEvent(Type.EXPIRED, "expired");
  public static final KeyspaceEvent NEW = new KeyspaceEvent(Type.NEW_KEY, "new");

  public static KeyspaceEvent generic(String name) {
    return new KeyspaceEvent(Type.GENERIC, name);
  }

  public static KeyspaceEvent string(String name) {
    return new KeyspaceEvent(Type.STRING, name);
  }

  public static KeyspaceEvent module(String name) {
    return new KeyspaceEvent(Type.MODULE, name);
  }
}
