package io.porteiro.server.command.admin;

import io.porteiro.server.command.KeySpec;
import java.util.List;

/**
 * First key, last key and step, as COMMAND told them before there were key specifications.
 *
 * @param last absolute, or negative: counted from the last argument
 */
record KeyRange(int first, int last, int step) {
  private static final KeyRange NONE = new KeyRange(0, 0, 0);

  /** One range for all, where they lie side by side. */
  static KeyRange of(List<KeySpec> specs) {
    KeyRange range = NONE;
    for (KeySpec spec : specs) {
      if (!spec.keyword().isEmpty()) {
        continue; // has no place that could be told
      }
      int last = spec.last() < 0 ? spec.last() : spec.begin() + spec.last();
      if (range.first == 0) {
        range = new KeyRange(spec.begin(), last, spec.step());
      } else if (spec.begin() == range.last + 1 && spec.step() == range.step) {
        range = new KeyRange(range.first, last, range.step);
      }
    }
    return range;
  }
}
