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
  /** The classes of events with their letters in `notify-keyspace-events`. */
  public enum Type {
    GENERIC('g'),
    STRING('$'),
    EXPIRED('x'),
    EVICTED('e'),
    NEW_KEY('n'),
    KEY_MISS('m'),
    MODULE('d');

    private final char letter;

    Type(char letter) {
      this.letter = letter;
    }

    public char letter() {
      return letter;
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
