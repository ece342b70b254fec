package io.porteiro.server.command;

import io.porteiro.server.config.EventClasses;
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
  private volatile int classes;

  public KeyspaceNotifications(Channels channels) {
    this.channels = channels;
  }

  /**
   * Chooses what is published.
   *
   * @param classes the bits of {@link EventClasses}
   */
  public void setClasses(int classes) {
    this.classes = classes;
  }

  boolean isWanted(KeyspaceEvent.Type type) {
    int wanted = classes;
    return (wanted & type.bit()) != 0
        && (wanted & (EventClasses.KEYSPACE | EventClasses.KEYEVENT)) != 0;
  }

  void publish(KeyspaceEvent event, int database, byte[] key) {
    byte[] name = event.name().getBytes(StandardCharsets.ISO_8859_1);
    if ((classes & EventClasses.KEYSPACE) != 0) {
      channels.publish(Channels.Kind.CHANNEL, channel("__keyspace@", database, key), name);
    }
    if ((classes & EventClasses.KEYEVENT) != 0) {
      channels.publish(Channels.Kind.CHANNEL, channel("__keyevent@", database, name), key);
    }
  }

  private static byte[] channel(String prefix, int database, byte[] suffix) {
    byte[] start = (prefix + database + "__:").getBytes(StandardCharsets.ISO_8859_1);
    byte[] channel = Arrays.copyOf(start, start.length + suffix.length);
    System.arraycopy(suffix, 0, channel, start.length, suffix.length);
    return channel;
  }
}
