package io.porteiro.it.kill;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What one database should hold. Its first letter tells what a key is: no key changes its type. */
final class State {
  private final Map<String, String> strings = new TreeMap<>();
  private final Map<String, Set<String>> filters = new TreeMap<>();
  private final Map<String, Set<String>> sketches = new TreeMap<>();

  Map<String, String> strings() {
    return strings;
  }

  /** The items of each Bloom filter. */
  Map<String, Set<String>> filters() {
    return filters;
  }

  /** The items of each HyperLogLog. */
  Map<String, Set<String>> sketches() {
    return sketches;
  }

  int keys() {
    return strings.size() + filters.size() + sketches.size();
  }

  void set(String key, String value) {
    strings.put(key, value);
  }

  void append(String key, String value) {
    strings.merge(key, value, String::concat);
  }

  void increment(String key) {
    strings.merge(key, "1", (old, _) -> Long.toString(Long.parseLong(old) + 1));
  }

  void reserve(String key) {
    filters.computeIfAbsent(key, _ -> new HashSet<>());
  }

  void addToFilter(String key, List<String> items) {
    filters.computeIfAbsent(key, _ -> new HashSet<>()).addAll(items);
  }

  void addToSketch(String key, List<String> items) {
    sketches.computeIfAbsent(key, _ -> new HashSet<>()).addAll(items);
  }

  void delete(String key) {
    all().forEach(map -> map.remove(key));
  }

  void rename(String from, String to) {
    all().forEach(map -> rename(map, from, to));
  }

  private static <V> void rename(Map<String, V> map, String from, String to) {
    V value = map.remove(from);
    if (value != null) {
      map.put(to, value);
    }
  }

  void clear() {
    all().forEach(Map::clear);
  }

  private List<Map<String, ?>> all() {
    return new ArrayList<>(List.of(strings, filters, sketches));
  }

  @Override
  public String toString() {
    TreeMap<String, Object> shown = new TreeMap<>(strings);
    filters.forEach((key, items) -> shown.put(key, items.size() + " items"));
    sketches.forEach((key, items) -> shown.put(key, items.size() + " items"));
    return shown.toString();
  }
}
