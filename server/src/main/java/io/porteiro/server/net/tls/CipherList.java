package io.porteiro.server.net.tls;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * OpenSSL's language of cipher lists, such as {@code HIGH:!aNULL:!kRSA:@STRENGTH}: words separated
 * by colons, commas or blanks. Each selects suites, {@code A+B} those that both select, and
 *
 * <pre>
 *   A     appends them, if they are not there and not forbidden
 *   -A    takes them out
 *   !A    takes them out and forbids them
 *   +A    moves those that are there to the end
 *   {@literal @}STRENGTH   sorts by length of the key
 * </pre>
 *
 * Words that select nothing are no error, as long as something is left.
 */
final class CipherList {
  private final Collection<Cipher12> available;
  private final List<Cipher12> chosen = new ArrayList<>();
  private final Set<Cipher12> forbidden = new LinkedHashSet<>();

  private CipherList(Collection<Cipher12> available) {
    this.available = available;
  }

  /**
   * Java's names of the suites that a list selects, in its order; empty if there are none.
   *
   * @param available Java's names of what can be used, best first
   */
  static List<String> select(String list, Collection<String> available) {
    CipherList selection =
        new CipherList(available.stream().filter(Cipher12::isOne).map(Cipher12::of).toList());
    for (String word : list.split("[:, ;]+", -1)) {
      selection.take(word.toUpperCase(Locale.ROOT));
    }
    return selection.chosen.stream().map(Cipher12::javaName).toList();
  }

  private void take(String word) {
    switch (word.isEmpty() ? ' ' : word.charAt(0)) {
      case ' ' -> {}
      case '@' -> command(word);
      case '!' -> {
        forbidden.addAll(named(word.substring(1)));
        chosen.removeAll(forbidden);
      }
      case '-' -> chosen.removeAll(named(word.substring(1)));
      case '+' -> moveToEnd(named(word.substring(1)));
      default -> append(named(word));
    }
  }

  /** Security levels are the platform's business. */
  private void command(String word) {
    if (word.equals("@STRENGTH")) {
      chosen.sort(Comparator.comparingInt(Cipher12::keyBits).reversed());
    }
  }

  private List<Cipher12> named(String words) {
    List<String> all = List.of(words.split("\\+"));
    return available.stream().filter(cipher -> cipher.words().containsAll(all)).toList();
  }

  private void moveToEnd(List<Cipher12> moved) {
    List<Cipher12> present = chosen.stream().filter(moved::contains).toList();
    chosen.removeAll(present);
    chosen.addAll(present);
  }

  private void append(List<Cipher12> more) {
    for (Cipher12 cipher : more) {
      if (!chosen.contains(cipher) && !forbidden.contains(cipher)) {
        chosen.add(cipher);
      }
    }
  }
}
