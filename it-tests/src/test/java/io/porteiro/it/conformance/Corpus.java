package io.porteiro.it.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

/**
 * The recorded corpus in the test resources, as JUnit tests: one container a file, one test a case.
 */
public final class Corpus {
  /**
   * The files that are part of the build. A file is added here when the server passes all of it.
   */
  public static final List<String> FILES =
      List.of(
          "bf",
          "bf-resp3",
          "pf",
          "strings",
          "keys",
          "protocol",
          "connection",
          "clients",
          "tracking",
          "server",
          "command",
          "multi",
          "pubsub");

  private Corpus() {}

  /** The cases of {@link #FILES} that {@code wanted} takes, to be played against a port. */
  public static Stream<DynamicContainer> tests(
      List<String> files, int port, CaseRunner.Bugs bugs, Predicate<Set<String>> wantedTags) {
    return files.stream()
        .map(file ->
            DynamicContainer.dynamicContainer(
                file,
                cases(file).stream()
                    .filter(one -> wantedTags.test(one.tags()))
                    .map(one -> test(one, port, bugs))));
  }

  private static DynamicTest test(ConformanceCase one, int port, CaseRunner.Bugs bugs) {
    return DynamicTest.dynamicTest(
        one.name(),
        () ->
            Assertions.assertThat(CaseRunner.play(one, port, bugs))
                .as("case at line %d", one.line())
                .isEmpty());
  }

  /** The cases of a corpus file, named without its extension. */
  public static List<ConformanceCase> cases(String file) {
    return CaseFile.parse(read(path("conformance/" + file + ".case")));
  }

  /** Where a test resource lies. */
  public static Path path(String resource) {
    try {
      return Path.of(
          Objects.requireNonNull(Corpus.class.getClassLoader().getResource(resource), resource)
              .toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The text of a file. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
