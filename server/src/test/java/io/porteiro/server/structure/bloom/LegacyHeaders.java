package io.porteiro.server.structure.bloom;

import java.util.HexFormat;

/** Headers as old versions of the Bloom module saved them, in the layout of today. */
final class LegacyHeaders {
  static final int OPTIONS_OFFSET = 12;

  private LegacyHeaders() {}

  /** No items yet, capacity 10, rate 0.005, 128 = 2^7 bits. */
  static byte[] emptyPowerOfTwo(int options) {
    byte[] header =
        HexFormat.of()
            .parseHex(
                "000000000000000001000000000000000200000010000000000000008000000000000000"
                    + "00000000000000007b14ae47e17a743fb974b9ca8d0e2640080000000a00000000000000"
                    + "07");
    header[OPTIONS_OFFSET] = (byte) options;
    return header;
  }
}
