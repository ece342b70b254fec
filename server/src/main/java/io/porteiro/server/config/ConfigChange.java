package io.porteiro.server.config;

import io.porteiro.server.config.Directive.Trait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** CONFIG SET: checks everything, then sets everything, then tells the listeners. */
final class ConfigChange {
  private final Directives directives;
  private final Map<String, List<ChangeListener>> listeners = new ConcurrentHashMap<>();

  ConfigChange(Directives directives) {
    this.directives = directives;
  }

  void listen(String name, ChangeListener listener) {
    listeners
        .computeIfAbsent(name, absent -> Collections.synchronizedList(new ArrayList<>()))
        .add(listener);
  }

  /** One at a time: two changes that undo each other's would leave neither. */
  synchronized void set(List<String> namesAndValues, boolean unprotected) throws ConfigException {
    Map<Directive<?>, String> wanted = wanted(namesAndValues, unprotected);
    List<Assignment<?>> assignments = new ArrayList<>();
    for (Map.Entry<Directive<?>, String> entry : wanted.entrySet()) {
      assignments.add(Assignment.parse(entry.getKey(), entry.getValue()));
    }
    assignments.forEach(Assignment::apply);
    tellOrUndo(assignments);
  }

  private Map<Directive<?>, String> wanted(List<String> namesAndValues, boolean unprotected)
      throws ConfigException {
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      requireKnown(namesAndValues.get(i));
    }
    Map<Directive<?>, String> wanted = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      String name = namesAndValues.get(i);
      Directive<?> directive = requireKnown(name);
      requireSettable(directive, name, unprotected);
      if (wanted.put(directive, namesAndValues.get(i + 1)) != null) {
        throw failed(name, "duplicate parameter");
      }
    }
    return wanted;
  }

  private Directive<?> requireKnown(String name) throws ConfigException {
    Directive<?> directive = directives.find(name);
    if (directive == null) {
      throw new ConfigException(
          "Unknown option or number of arguments for CONFIG SET - '" + name + "'");
    }
    return directive;
  }

  private static void requireSettable(Directive<?> directive, String name, boolean unprotected)
      throws ConfigException {
    if (directive.is(Trait.IMMUTABLE)) {
      throw failed(name, "can't set immutable config");
    }
    if (directive.is(Trait.PROTECTED) && !unprotected) {
      throw failed(name, "can't set protected config");
    }
  }

  private void tellOrUndo(List<Assignment<?>> assignments) throws ConfigException {
    for (Assignment<?> assignment : assignments) {
      String name = assignment.directive.name();
      try {
        tell(listenersOf(name));
      } catch (ConfigException e) {
        undo(assignments);
        throw failed(name, reason(e));
      }
    }
  }

  private Set<ChangeListener> listenersOf(String name) {
    List<ChangeListener> registered = listeners.getOrDefault(name, List.of());
    synchronized (registered) {
      return new LinkedHashSet<>(registered);
    }
  }

  private static void tell(Set<ChangeListener> told) throws ConfigException {
    for (ChangeListener listener : told) {
      listener.changed();
    }
  }

  /** Listeners took the old values before, so that they refuse them now is not expected. */
  private void undo(List<Assignment<?>> assignments) throws ConfigException {
    assignments.forEach(Assignment::undo);
    for (Assignment<?> assignment : assignments) {
      tell(listenersOf(assignment.directive.name()));
    }
  }

  private static ConfigException failed(String name, String reason) {
    return new ConfigException(
        "CONFIG SET failed (possibly related to argument '" + name + "') - " + reason);
  }

  private static String reason(ConfigException e) {
    String message = e.getMessage();
    return message == null ? "" : message;
  }

  /** A value that a directive is about to get, and the one it had. */
  private static final class Assignment<T> {
    private final Directive<T> directive;
    private final T value;
    private final T before;

    private Assignment(Directive<T> directive, T value) {
      this.directive = directive;
      this.value = value;
      this.before = directive.get();
    }

    static <T> Assignment<T> parse(Directive<T> directive, String text) throws ConfigException {
      try {
        List<String> words = List.of(directive.is(Trait.WORDS) ? words(text) : new String[] {text});
        return new Assignment<>(directive, directive.accepted(directive.parse(words)));
      } catch (ConfigException e) {
        throw failed(directive.name(), reason(e));
      }
    }

    private static String[] words(String text) {
      return text.split(" ", -1);
    }

    void apply() {
      directive.assign(value);
    }

    void undo() {
      directive.assign(before);
    }
  }
}
