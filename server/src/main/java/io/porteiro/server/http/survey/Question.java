package io.porteiro.server.http.survey;

/**
 * What someone wants to know of the filters.
 *
 * @param pattern which keys, a glob pattern; each character is one byte
 * @param limit how many of them at most: the largest
 */
public record Question(String pattern, int limit) {
  public static final String ALL = "*";
}
