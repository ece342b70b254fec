package io.porteiro.server.command.connection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** Finds prefixes that begin with one another, in one pass over them in their order. */
final class PrefixOverlaps {
  private static final int EXISTING = Integer.MAX_VALUE;

  private record Candidate(String prefix, int index) {}

  private PrefixOverlaps() {}

  /** Index of the first new one that overlaps another, new or existing; -1 if there is none. */
  static int first(List<String> added, Collection<String> existing) {
    Deque<Candidate> beginnings = new ArrayDeque<>();
    int first = EXISTING;
    for (Candidate candidate : sorted(added, existing)) {
      while (!beginnings.isEmpty() && !candidate.prefix.startsWith(beginnings.peek().prefix)) {
        beginnings.pop();
      }
      if (!beginnings.isEmpty()) {
        first = Math.min(first, Math.min(candidate.index, beginnings.peek().index));
      }
      beginnings.push(candidate);
    }
    return first == EXISTING ? -1 : first;
  }

  private static List<Candidate> sorted(List<String> added, Collection<String> existing) {
    List<Candidate> all = new ArrayList<>();
    for (int i = 0; i < added.size(); i++) {
      all.add(new Candidate(added.get(i), i));
    }
    existing.forEach(prefix -> all.add(new Candidate(prefix, EXISTING)));
    all.sort(Comparator.comparing(Candidate::prefix));
    return all;
  }
}
