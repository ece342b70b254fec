package io.porteiro.server.command;

import io.porteiro.server.store.KeyspaceEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Publishes what happens to keys, where {@code notify-keyspace-events} asks for it: the event to
 * {@code __keyspace@DB__:KEY} (K) and the key to {@code __keyevent@DB__:EVENT} (E).
 *
 * @see <a href="https://redis.io/docs/latest/develop/use/keyspace-notifications/">Redis keyspace
 *     notifications</a>
 */
public final class KeyspaceNotifications {
  private final Channels channels;
  private volatile int wanted;
  private volatile boolean keyspaceChannel;
  private volatile boolean keyeventChannel;

  public KeyspaceNotifications(Channels channels) {
    this.channels = channels;
  }

  /**
   * Chooses what is published.
   *
   * @param letters the value of {@code notify-keyspace-events}; {@code A} stands for all but m and
   *     n
   */
  public void setClasses(String letters) {
    keyspaceChannel = letters.indexOf('K') >= 0;
    keyeventChannel = letters.indexOf('E') >= 0;
    int selected = 0;
    for (KeyspaceEvent.Type type : KeyspaceEvent.Type.values()) {
      selected |= isSelected(type, letters) ? type.bit() : 0;
    }
    wanted = keyspaceChannel || keyeventChannel ? selected : 0;
  }

  private static boolean isSelected(KeyspaceEvent.Type type, String letters) {
    boolean inAll = type != KeyspaceEvent.Type.KEY_MISS && type != KeyspaceEvent.Type.NEW_KEY;
    return letters.indexOf(type.letter()) >= 0 || (inAll && letters.indexOf('A') >= 0);
  }

  boolean isAnyWanted() {
    return wanted != 0;
  }

  boolean isWanted(KeyspaceEvent.Type type) {
    return (wanted & type.bit()) != 0;
  }

  /**
   * Sends the messages of an event.
   *
   * @param position of the journal that they have to wait for
   */
  void publish(KeyspaceEvent event, int database, byte[] key, long position) {
    byte[] name = event.name().getBytes(StandardCharsets.ISO_8859_1);
    if (keyspaceChannel) {
      channels.publish(
          Channels.Kind.CHANNEL, channel("__keyspace@", database, key), name, position);
    }
    if (keyeventChannel) {
      channels.publish(
          Channels.Kind.CHANNEL, channel("__keyevent@", database, name), key, position);
    }
  }

  private static byte[] channel(String prefix, int database, byte[] suffix) {
    byte[] start = (prefix + database + "__:").getBytes(StandardCharsets.ISO_8859_1);
    byte[] channel = Arrays.copyOf(start, start.length + suffix.length);
    System.arraycopy(suffix, 0, channel, start.length, suffix.length);
    return channel;
  }
}
