package io.porteiro.server.net;

import io.porteiro.protocol.ReplyWriter;
import io.porteiro.server.command.Channels;
import io.porteiro.server.command.Session;
import io.porteiro.server.glob.GlobPattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is subscribed to what. One lock guards everything, and messages are handed to the
 * subscribers' event loops under it, so that all subscribers see one order. Nothing is done under
 * the lock that could wait.
 */
public final class ChannelRegistry implements Channels {
  /**
   * Heap bytes of one subscription besides its name: places in the session's set and in the
   * channel's, and the channel itself, which mostly has one subscriber only.
   */
  private static final long SUBSCRIPTION_BYTES = 400;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Kind, Map<String, Subscribers>> subscribers = new EnumMap<>(Kind.class);
  private final Map<Session, Map<Kind, Set<String>>> sessions = new HashMap<>();

  /** Those subscribed to one channel or pattern, in the order they came. */
  private static final class Subscribers {
    private final Set<Session> sessions = new LinkedHashSet<>();
    private final GlobPattern pattern;

    Subscribers(String name) {
      this.pattern = GlobPattern.of(bytes(name));
    }
  }

  public ChannelRegistry() {
    for (Kind kind : Kind.values()) {
      subscribers.put(kind, new LinkedHashMap<>());
    }
  }

  @Override
  public boolean subscribe(Session session, Kind kind, String name) {
    lock.lock();
    try {
      boolean added = namesOf(session, kind).add(name);
      if (added) {
        of(kind).computeIfAbsent(name, Subscribers::new).sessions.add(session);
        session.setSubscriber(true);
        count(session, bytesOf(name));
      }
      return added;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean unsubscribe(Session session, Kind kind, String name) {
    lock.lock();
    try {
      boolean removed = namesOf(session, kind).remove(name);
      if (removed) {
        removeSubscriber(session, kind, name);
        count(session, -bytesOf(name));
      }
      forgetIfWithout(session);
      return removed;
    } finally {
      lock.unlock();
    }
  }

  /** The name is held by the session, and once more by the channel. */
  private static long bytesOf(String name) {
    return SUBSCRIPTION_BYTES + 2L * name.length();
  }

  private static void count(Session session, long bytes) {
    session.setSubscriptionBytes(session.subscriptionBytes() + bytes);
  }

  private void removeSubscriber(Session session, Kind kind, String name) {
    Subscribers list = of(kind).get(name);
    if (list != null) {
      list.sessions.remove(session);
      if (list.sessions.isEmpty()) {
        of(kind).remove(name);
      }
    }
  }

  private void forgetIfWithout(Session session) {
    Map<Kind, Set<String>> names = sessions.get(session);
    if (names != null && names.values().stream().allMatch(Collection::isEmpty)) {
      sessions.remove(session);
      session.setSubscriber(false);
    }
  }

  private Map<String, Subscribers> of(Kind kind) {
    return subscribers.getOrDefault(kind, Map.of());
  }

  private Set<String> namesOf(Session session, Kind kind) {
    return sessions
        .computeIfAbsent(session, s -> new EnumMap<>(Kind.class))
        .computeIfAbsent(kind, k -> new LinkedHashSet<>());
  }

  @Override
  public List<String> subscriptions(Session session, Kind kind) {
    lock.lock();
    try {
      return List.copyOf(sessions.getOrDefault(session, Map.of()).getOrDefault(kind, Set.of()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int count(Session session, Kind kind) {
    if (!session.isSubscriber()) {
      return 0;
    }
    lock.lock();
    try {
      return sessions.getOrDefault(session, Map.of()).getOrDefault(kind, Set.of()).size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unsubscribeAll(Session session) {
    lock.lock();
    try {
      Map<Kind, Set<String>> names = sessions.remove(session);
      if (names != null) {
        names.forEach((kind, set) -> set.forEach(name -> removeSubscriber(session, kind, name)));
        session.setSubscriber(false);
        session.setSubscriptionBytes(0);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long publish(Kind kind, byte[] channel, byte[] message, long journalPosition) {
    String type = kind == Kind.SHARD ? "smessage" : "message";
    return visit(
        kind,
        channel,
        (pattern, receivers) -> {
          Consumer<ReplyWriter> push =
              message(pattern == null ? type : "pmessage", pattern, channel, message);
          receivers.forEach(session -> session.peer().push(push, journalPosition));
        });
  }

  @Override
  public long receivers(Kind kind, byte[] channel) {
    return visit(kind, channel, (_, _) -> {});
  }

  /** Takes those who get a message by one subscription. */
  private interface Receivers {
    void accept(byte @Nullable [] pattern, Set<Session> sessions);
  }

  private long visit(Kind kind, byte[] channel, Receivers visitor) {
    lock.lock();
    try {
      long receivers = visit(of(kind).get(text(channel)), null, visitor);
      return kind == Kind.CHANNEL ? receivers + visitPatterns(channel, visitor) : receivers;
    } finally {
      lock.unlock();
    }
  }

  private static long visit(
      @Nullable Subscribers subscribers, byte @Nullable [] pattern, Receivers visitor) {
    if (subscribers == null) {
      return 0;
    }
    visitor.accept(pattern, subscribers.sessions);
    return subscribers.sessions.size();
  }

  private long visitPatterns(byte[] channel, Receivers visitor) {
    long receivers = 0;
    for (Map.Entry<String, Subscribers> pattern : of(Kind.PATTERN).entrySet()) {
      if (pattern.getValue().pattern.matches(channel)) {
        receivers += visit(pattern.getValue(), bytes(pattern.getKey()), visitor);
      }
    }
    return receivers;
  }

  private static Consumer<ReplyWriter> message(
      String type, byte @Nullable [] pattern, byte[] channel, byte[] message) {
    return reply -> {
      reply.push(pattern == null ? 3 : 4);
      reply.bulk(type);
      if (pattern != null) {
        reply.bulk(pattern);
      }
      reply.bulk(channel);
      reply.bulk(message);
    };
  }

  @Override
  public List<String> active(Kind kind, String pattern) {
    GlobPattern glob = GlobPattern.of(bytes(pattern));
    lock.lock();
    try {
      List<String> names = new ArrayList<>();
      for (String name : of(kind).keySet()) {
        if (glob.matches(bytes(name))) {
          names.add(name);
        }
      }
      return names;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int subscribers(Kind kind, String channel) {
    lock.lock();
    try {
      Subscribers list = of(kind).get(channel);
      return list == null ? 0 : list.sessions.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int patterns() {
    lock.lock();
    try {
      return of(Kind.PATTERN).size();
    } finally {
      lock.unlock();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
