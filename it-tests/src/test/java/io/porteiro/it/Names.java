package io.porteiro.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Names as people choose them, all different: words of the system's word list alone, then two words
 * joined. Other names than the ones added can be drawn to count false positives.
 */
record Names(List<String> added, List<String> others) {
  private static final List<Path> WORD_LISTS =
      Stream.of("american-english-huge", "american-english", "words")
          .map(name -> Path.of("/usr/share/dict", name))
          .toList();

  /** Whether this machine has a word list. */
  static boolean available() {
    return WORD_LISTS.stream().anyMatch(Files::exists);
  }

  /** Draws {@code added} names, and {@code others} that are not among them. */
  static Names draw(int added, int others, long seed) {
    List<String> words = words();
    SplittableRandom random = new SplittableRandom(seed);
    LinkedHashSet<String> names = new LinkedHashSet<>(words);
    while (names.size() < added + others) {
      names.add(pick(words, random) + "-" + pick(words, random));
    }
    List<String> all = List.copyOf(names);
    return new Names(all.subList(0, added), all.subList(added, added + others));
  }

  private static String pick(List<String> words, SplittableRandom random) {
    return words.get(random.nextInt(words.size()));
  }

  private static List<String> words() {
    Path list = WORD_LISTS.stream().filter(Files::exists).findFirst().orElseThrow();
    try {
      return Files.readAllLines(list, StandardCharsets.UTF_8).stream()
          .filter(word -> !word.isBlank())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
