package io.porteiro.server.http.page;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes one JSON object (RFC 8259). */
final class Json {
  private final StringBuilder text;
  private boolean empty = true;

  private Json(StringBuilder text) {
    this.text = text;
  }

  /** An object with what is put into it. */
  static String object(Consumer<Json> content) {
    StringBuilder text = new StringBuilder();
    object(text, content);
    return text.toString();
  }

  private static void object(StringBuilder text, Consumer<Json> content) {
    text.append('{');
    content.accept(new Json(text));
    text.append('}');
  }

  private void name(String name) {
    if (!empty) {
      text.append(',');
    }
    empty = false;
    string(name);
    text.append(':');
  }

  Json put(String name, String value) {
    name(name);
    string(value);
    return this;
  }

  Json put(String name, boolean value) {
    name(name);
    text.append(value);
    return this;
  }

  Json put(String name, long value) {
    name(name);
    text.append(value);
    return this;
  }

  /** What is no number in JSON is 0. */
  Json put(String name, double value) {
    name(name);
    text.append(Double.isFinite(value) ? value : 0);
    return this;
  }

  Json put(String name, Consumer<Json> object) {
    name(name);
    object(text, object);
    return this;
  }

  Json numbers(String name, Iterable<Long> values) {
    return array(name, values, StringBuilder::append);
  }

  /** An array with an object for each thing. */
  <T> Json objects(String name, Iterable<T> things, Element<T> element) {
    return array(name, things, (out, thing) -> object(out, json -> element.write(json, thing)));
  }

  /** Fills the object for one thing. */
  @FunctionalInterface
  interface Element<T> {
    void write(Json json, T thing);
  }

  private <T> Json array(String name, Iterable<T> things, BiConsumer<StringBuilder, T> write) {
    name(name);
    text.append('[');
    String separator = "";
    for (T thing : things) {
      text.append(separator);
      write.accept(text, thing);
      separator = ",";
    }
    text.append(']');
    return this;
  }

  private void string(String value) {
    text.append('"');
    value.chars().forEach(c -> character((char) c));
    text.append('"');
  }

  /** Markup is escaped, too: whoever puts the text into a page unread does no harm. */
  private void character(char c) {
    switch (c) {
      case '"' -> text.append("\\\"");
      case '\\' -> text.append("\\\\");
      case '<', '>', '&', '\u2028', '\u2029' -> escape(c);
      default -> {
        if (c < ' ') {
          escape(c);
        } else {
          text.append(c);
        }
      }
    }
  }

  private void escape(char c) {
    text.append(String.format("\\u%04x", (int) c));
  }
}
