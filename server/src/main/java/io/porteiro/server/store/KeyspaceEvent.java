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
  /** The classes of events, each with Redis's bit for it. */
  public enum Type {
    GENERIC(1 << 2),
    STRING(1 << 3),
    EXPIRED(1 << 8),
    EVICTED(1 << 9),
    KEY_MISS(1 << 11),
    MODULE(1 << 13),
    NEW_KEY(1 << 14);

    private final int bit;

    Type(int bit) {
      this.bit = bit;
    }

    /** Its bit in the value of `notify-keyspace-events`. */
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
