package io.porteiro.server.http.survey;

import java.util.List;

/**
 * What a walk over all keys found.
 *
 * @param filters the largest that match, largest first
 * @param matching how many match, those left out included
 * @param hyperLogLogs strings that are HyperLogLogs
 * @param hyperLogLogBytes as MEMORY USAGE counts
 * @param nanos how long the walk took
 * @param complete false if no walk has ended yet, and so nothing is known
 */
public record Survey(
    List<FilterFigures> filters,
    long matching,
    long hyperLogLogs,
    long hyperLogLogBytes,
    long nanos,
    boolean complete) {
  static final Survey NONE = new Survey(List.of(), 0, 0, 0, 0, false);

  /** Filters that match and are not listed. */
  public long leftOut() {
    return matching - filters.size();
  }
}
