package io.porteiro.server.http.survey;

import io.porteiro.server.command.Persistence;
import java.util.HashMap;
import java.util.Map;

/**
 * INFO's fields on persistence: who reports on it says the same as INFO, whatever keeps the data.
 */
public final class InfoFields {
  private static final String FIRST_OF_LOG = "aof_current_size";
  private static final String FIRST_OF_LOADING = "loading_start_time";

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

  /**
   * A number.
   *
   * @throws IllegalStateException if there is no such field: what is not told must not look well
   */
  public double number(String name) {
    return Double.parseDouble(text(name));
  }

  /** A number of those that INFO tells only while there is a log; 0 while there is none. */
  public double numberOfLog(String name) {
    return fields.containsKey(FIRST_OF_LOG) ? number(name) : 0;
  }

  /** A number of those that INFO tells only while the data are being loaded; 0 otherwise. */
  public double numberOfLoading(String name) {
    return fields.containsKey(FIRST_OF_LOADING) ? number(name) : 0;
  }

  /**
   * Whether a status says so.
   *
   * @throws IllegalStateException if there is no such field
   */
  public boolean isOk(String name) {
    return text(name).equals("ok");
  }

  private String text(String name) {
    String text = fields.get(name);
    if (text == null) {
      throw new IllegalStateException("INFO has no " + name);
    }
    return text;
  }
}
