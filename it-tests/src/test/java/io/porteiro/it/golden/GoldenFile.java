package io.porteiro.it.golden;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.porteiro.it.conformance.Corpus;
import io.porteiro.it.resp.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A file that a real server wrote, and the JSON beside it that tells what is inside. */
public record GoldenFile(Path path, JsonObject description) {
  /** The golden files of a kind (a folder of the test resources), by name. */
  public static List<GoldenFile> all(String kind) {
    try (Stream<Path> files = Files.list(Corpus.path("golden/" + kind))) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(GoldenFile::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static GoldenFile of(String kind, String name) {
    return read(Corpus.path("golden/" + kind + "/" + name + ".json"));
  }

  private static GoldenFile read(Path path) {
    return new GoldenFile(path, JsonParser.parseString(Corpus.read(path)).getAsJsonObject());
  }

  public String name() {
    return path.getFileName().toString().replace(".json", "");
  }

  /** A text field of the description. */
  public String text(String field) {
    return description.get(field).getAsString();
  }

  /** The file that is described. */
  public Path data() {
    return path.resolveSibling(text("file"));
  }

  /** The bytes of a file beside the description. */
  public String bytes(String file) {
    try {
      return Bytes.of(Files.readAllBytes(path.resolveSibling(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name();
  }
}
