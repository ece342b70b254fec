package io.porteiro.server.config;

import java.util.List;

/** {@code notify-keyspace-events}: a letter for each class of events. */
final class EventClassesDirective extends TextDirective {
  EventClassesDirective() {
    super("notify-keyspace-events", "");
  }

  @Override
  String parse(List<String> words) throws ConfigException {
    return EventClasses.inOrder(words.getFirst());
  }
}
