package io.porteiro.server.config;

import java.util.List;

/** {@code notify-keyspace-events}: a letter for each class of events. */
final class EventClassesDirective extends Directive<Integer> {
  EventClassesDirective() {
    super("notify-keyspace-events", 0);
  }

  @Override
  Integer parse(List<String> words) throws ConfigException {
    return EventClasses.parse(words.getFirst());
  }

  @Override
  String text() {
    return EventClasses.text(get());
  }

  @Override
  List<String> lines() {
    return List.of(name() + " " + ConfigText.quote(text()));
  }
}
