package io.porteiro.server.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Options, turned into lines of a configuration file: {@code --name} begins one, everything else is
 * a word of it. What follows a name is a word even where it begins with two dashes, so that any
 * password can be given, but {@code --save} alone is {@code --save ""}.
 */
final class OptionLines {
  private final List<String> lines = new ArrayList<>();
  private String line = "";
  private boolean valueExpected;

  void add(String argument) {
    boolean name = argument.startsWith("--");
    if (name && valueExpected && isSave()) {
      addWord("");
    }
    if (name && !valueExpected) {
      begin(argument.substring(2));
    } else {
      addWord(argument);
    }
  }

  private boolean isSave() {
    return line.equalsIgnoreCase("save");
  }

  /** A name and its value may come as one argument, as in {@code "--port 6380"}. */
  private void begin(String text) {
    finishLine();
    line = text.strip();
    List<String> words = ConfigText.split(line);
    valueExpected = words != null && words.size() == 1;
  }

  private void addWord(String word) {
    line += (line.isEmpty() ? "" : " ") + ConfigText.quote(word);
    valueExpected = false;
  }

  private void finishLine() {
    if (!line.isEmpty()) {
      lines.add(line);
    }
  }

  void end() {
    if (valueExpected && isSave()) {
      addWord("");
    }
    finishLine();
  }

  String text() {
    return String.join("\n", lines);
  }
}
