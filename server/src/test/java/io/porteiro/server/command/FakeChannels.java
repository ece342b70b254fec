package io.porteiro.server.command;

import io.porteiro.protocol.ReplyWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Publish and subscribe in memory; patterns know {@code *} and {@code ?} only. */
public final class FakeChannels implements Channels {
  private final Map<Kind, Map<Session, Set<String>>> subscriptions = new EnumMap<>(Kind.class);
  private final List<String> published = new ArrayList<>();

  FakeChannels() {
    for (Kind kind : Kind.values()) {
      subscriptions.put(kind, new LinkedHashMap<>());
    }
  }

  /** What was published since the last call, as {@code channel message}. */
  public synchronized List<String> take() {
    List<String> taken = List.copyOf(published);
    published.clear();
    return taken;
  }

  private Map<Session, Set<String>> of(Kind kind) {
    return subscriptions.getOrDefault(kind, Map.of());
  }

  private Set<String> names(Session session, Kind kind) {
    return of(kind).getOrDefault(session, Set.of());
  }

  @Override
  public synchronized boolean subscribe(Session session, Kind kind, String name) {
    session.setSubscriber(true);
    return of(kind).computeIfAbsent(session, s -> new LinkedHashSet<>()).add(name);
  }

  @Override
  public synchronized boolean unsubscribe(Session session, Kind kind, String name) {
    Set<String> names = of(kind).get(session);
    boolean removed = names != null && names.remove(name);
    int left = 0;
    for (Kind each : Kind.values()) {
      left += names(session, each).size();
    }
    session.setSubscriber(left > 0);
    return removed;
  }

  @Override
  public synchronized List<String> subscriptions(Session session, Kind kind) {
    return List.copyOf(names(session, kind));
  }

  @Override
  public synchronized int count(Session session, Kind kind) {
    return names(session, kind).size();
  }

  @Override
  public synchronized void unsubscribeAll(Session session) {
    subscriptions.values().forEach(sessions -> sessions.remove(session));
    session.setSubscriber(false);
  }

  @Override
  public synchronized long publish(
      Kind kind, byte[] channel, byte[] message, long journalPosition) {
    String name = new String(channel, StandardCharsets.ISO_8859_1);
    published.add(name + " " + new String(message, StandardCharsets.ISO_8859_1));
    String word = kind == Kind.SHARD ? "smessage" : "message";
    long receivers = 0;
    for (Session session : of(kind).keySet()) {
      if (names(session, kind).contains(name)) {
        session.peer().push(message(List.of(word, name), message));
        receivers++;
      }
    }
    return kind == Kind.SHARD ? receivers : receivers + publishToPatterns(name, message);
  }

  @Override
  public synchronized long receivers(Kind kind, byte[] channel) {
    String name = new String(channel, StandardCharsets.ISO_8859_1);
    long receivers = of(kind).keySet().stream().filter(s -> names(s, kind).contains(name)).count();
    return kind == Kind.SHARD ? receivers : receivers + patternReceivers(name);
  }

  private long patternReceivers(String channel) {
    return of(Kind.PATTERN).keySet().stream()
        .flatMap(session -> names(session, Kind.PATTERN).stream())
        .filter(pattern -> matches(pattern, channel))
        .count();
  }

  private long publishToPatterns(String channel, byte[] message) {
    long receivers = 0;
    for (Session session : of(Kind.PATTERN).keySet()) {
      for (String pattern : names(session, Kind.PATTERN)) {
        if (matches(pattern, channel)) {
          session.peer().push(message(List.of("pmessage", pattern, channel), message));
          receivers++;
        }
      }
    }
    return receivers;
  }

  private static Consumer<ReplyWriter> message(List<String> head, byte[] message) {
    return reply -> {
      reply.push(head.size() + 1L);
      head.forEach(reply::bulk);
      reply.bulk(message);
    };
  }

  private static boolean matches(String pattern, String channel) {
    String regex = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
    return Pattern.compile(regex, Pattern.DOTALL).matcher(channel).matches();
  }

  @Override
  public synchronized List<String> active(Kind kind, String pattern) {
    return of(kind).values().stream()
        .flatMap(Set::stream)
        .distinct()
        .filter(name -> matches(pattern, name))
        .toList();
  }

  @Override
  public synchronized int subscribers(Kind kind, String channel) {
    return (int) of(kind).values().stream().filter(names -> names.contains(channel)).count();
  }

  @Override
  public synchronized int patterns() {
    return (int) of(Kind.PATTERN).values().stream().flatMap(Set::stream).distinct().count();
  }
}
