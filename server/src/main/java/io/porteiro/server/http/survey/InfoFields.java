package io.porteiro.server.http.survey;

import io.porteiro.server.command.Persistence;
import java.util.HashMap;
import java.util.Map;

/**
 * INFO's fields on persistence: who reports on it says the same as INFO, whatever keeps the data.
 */
public final class InfoFields {
  private final Map<String, String> fields = new HashMap<>();

  private InfoFields() {}

  public static InfoFields of(Persistence persistence) {
    StringBuilder text = new StringBuilder();
    persistence.appendInfo(text);
    InfoFields info = new InfoFields();
    text.toString().lines().forEach(info::add);
    return info;
  }

  private void add(String line) {
    int colon = line.indexOf(':');
    if (colon > 0) {
      fields.put(line.substring(0, colon), line.substring(colon + 1));
    }
  }

  /** A number; 0 where there is no such field. */
  public double number(String name) {
    return Double.parseDouble(fields.getOrDefault(name, "0"));
  }

  /** Whether a status says so; it does where there is no such field. */
  public boolean isOk(String name) {
    return fields.getOrDefault(name, "ok").equals("ok");
  }
}
