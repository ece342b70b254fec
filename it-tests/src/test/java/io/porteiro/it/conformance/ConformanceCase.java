package io.porteiro.it.conformance;

import java.util.List;
import java.util.Set;

/** One case of a corpus file: independent of all others. */
public record ConformanceCase(String name, Set<String> tags, int line, List<Step> steps) {
  /** What a step does. */
  enum Op {
    SEND(">"),
    SEND_ONLY(">!"),
    READ("<"),
    READ_NOTHING("<!"),
    GENERATE("gen>"),
    RAW_SEND("raw>"),
    RAW_READ("raw<"),
    WAIT("wait"),
    SAVE("save"),
    OPEN("open"),
    CLOSE("close");

    final String sign;

    Op(String sign) {
      this.sign = sign;
    }

    static Op of(String sign) {
      for (Op op : values()) {
        if (op.sign.equals(sign)) {
          return op;
        }
      }
      throw new IllegalArgumentException("not a step: " + sign);
    }
  }

  /**
   * One step with the lines that must come back.
   *
   * @param fixed where the recorded answer is a bug of the recorded server: the right answer's
   *     lines; else empty
   */
  record Step(
      int line,
      String text,
      int connection,
      Op op,
      String argument,
      List<String> expected,
      List<String> fixed) {}
}
