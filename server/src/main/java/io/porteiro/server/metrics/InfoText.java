package io.porteiro.server.metrics;

import java.util.Locale;

/** The text of INFO: sections with a heading, an empty line between them, a field on each line. */
public final class InfoText {
  private static final String[] UNITS = {"B", "K", "M", "G", "T", "P"};

  private final StringBuilder text = new StringBuilder();

  /** Begins a section. */
  public InfoText section(String heading) {
    if (!text.isEmpty()) {
      text.append("\r\n");
    }
    text.append("# ").append(heading).append("\r\n");
    return this;
  }

  public InfoText field(String name, Object value) {
    text.append(name).append(':').append(value).append("\r\n");
    return this;
  }

  /** With so many digits behind the point. */
  public InfoText decimal(String name, int digits, double value) {
    return field(name, String.format(Locale.ROOT, "%." + digits + "f", value));
  }

  /** A number of bytes, and once more for people to read. */
  public InfoText bytes(String name, long bytes) {
    return field(name, bytes).field(name + "_human", human(bytes));
  }

  /** Bytes in the largest unit that leaves at least one of it: {@code 894.91K}. */
  public static String human(long bytes) {
    double number = bytes;
    int unit = 0;
    while (number >= 1024 && unit < UNITS.length - 1) {
      number /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + "B" : String.format(Locale.ROOT, "%.2f%s", number, UNITS[unit]);
  }

  /** Where others add whole lines. */
  public StringBuilder lines() {
    return text;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
