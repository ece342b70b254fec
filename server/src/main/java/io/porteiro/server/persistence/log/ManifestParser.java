package io.porteiro.server.persistence.log;

import io.porteiro.server.config.ByteText;
import io.porteiro.server.config.ConfigText;
import io.porteiro.server.persistence.log.ManifestEntry.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads a manifest line by line, as strictly as Redis does. */
final class ManifestParser {
  /** Bytes of a line, its end included. */
  private static final int MAX_LINE_BYTES = 1024;

  /** Begins the last line of our manifests; a comment to Redis, which writes none. */
  private static final String CHECKSUM = "# crc32c of the lines above: ";

  private final String text;
  private final List<ManifestEntry> history = new ArrayList<>();
  private final List<ManifestEntry> incrementals = new ArrayList<>();
  private @Nullable ManifestEntry base;
  private int line;

  /**
   * @param text one byte a char
   */
  ManifestParser(String text) {
    this.text = text;
  }

  Manifest parse() throws ManifestException {
    for (int from = 0; from < text.length(); ) {
      line++;
      int end = text.indexOf('\n', from);
      if (end < 0 || end - from >= MAX_LINE_BYTES) {
        throw bad("the line is too long, or has no end");
      }
      String content = text.substring(from, end);
      if (content.startsWith(CHECKSUM)) {
        verify(content, from);
      } else {
        parseLine(content);
      }
      from = end + 1;
    }
    if (base == null && history.isEmpty() && incrementals.isEmpty()) {
      throw new ManifestException("the manifest is empty");
    }
    return new Manifest(base, history, incrementals);
  }

  private void verify(String content, int end) throws ManifestException {
    if (!content.equals(CHECKSUM + checksum(text.substring(0, end)))) {
      throw bad("the lines above are damaged; whoever has changed them by hand removes this line");
    }
  }

  private void parseLine(String content) throws ManifestException {
    if (content.startsWith("#")) {
      return;
    }
    List<String> words = ConfigText.split(content);
    if (words == null || words.size() < 6 || words.size() % 2 != 0) {
      throw bad("file, seq and type are expected, not '" + content + "'");
    }
    add(entry(words));
  }

  private ManifestEntry entry(List<String> words) throws ManifestException {
    String name = "";
    long sequence = 0;
    Kind kind = null;
    for (int i = 0; i < words.size(); i += 2) {
      String value = words.get(i + 1);
      switch (words.get(i).toLowerCase(Locale.ROOT)) {
        case "file" -> name = ByteText.toText(value);
        case "seq" -> sequence = number(value);
        case "type" -> kind = kind(value);
        default -> {
          // offsets that replication notes, and whatever may come later
        }
      }
    }
    if (name.isEmpty() || name.contains("/") || sequence == 0 || kind == null) {
      throw bad("a plain file name, a seq other than 0 and a type are needed");
    }
    return new ManifestEntry(name, sequence, kind);
  }

  private long number(String digits) throws ManifestException {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException _) {
      throw bad("'" + digits + "' is no number");
    }
  }

  private Kind kind(String word) throws ManifestException {
    for (Kind kind : Kind.values()) {
      if (!word.isEmpty() && word.charAt(0) == kind.letter()) {
        return kind;
      }
    }
    throw bad("'" + word + "' is no type of file");
  }

  private void add(ManifestEntry entry) throws ManifestException {
    switch (entry.kind()) {
      case BASE -> {
        if (base != null) {
          throw bad("there is a base already");
        }
        base = entry;
      }
      case HISTORY -> history.add(entry);
      case INCREMENTAL -> {
        if (!incrementals.isEmpty() && entry.sequence() <= incrementals.getLast().sequence()) {
          throw bad("the numbers of incremental files must rise");
        }
        incrementals.add(entry);
      }
    }
  }

  private ManifestException bad(String reason) {
    return new ManifestException("line " + line + ": " + reason);
  }

  /**
   * Ends what {@link #write} has written: a single wrong letter can make a file of the log one to
   * delete.
   */
  static void writeChecksum(StringBuilder text) {
    String checksum = checksum(text.toString());
    text.append(CHECKSUM).append(checksum).append('\n');
  }

  private static String checksum(String lines) {
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.ISO_8859_1));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  static void write(ManifestEntry entry, StringBuilder text) {
    text.append("file ")
        .append(ConfigText.quoteIfNeeded(ByteText.ofText(entry.name())))
        .append(" seq ")
        .append(entry.sequence())
        .append(" type ")
        .append(entry.kind().letter())
        .append('\n');
  }
}
