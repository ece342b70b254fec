package io.porteiro.server.structure.hyperloglog;

/**
 * The opcodes of the sparse representation, which cover the registers from the first to the last.
 *
 * <pre>
 *   ZERO    00llllll           l + 1 registers (1 to 64) are 0
 *   XZERO   01llllll llllllll  l + 1 registers (1 to 16384) are 0; the high part comes first
 *   VAL     1vvvvvll           l + 1 registers (1 to 4) are v + 1 (1 to 32)
 * </pre>
 *
 * <p>Example: "7F FF" is an empty HyperLogLog; "80 7F FE" has a 1 in register 0 and nothing else.
 */
final class SparseOpcode {
  static final int ZERO_MAX_RUN = 64;
  static final int VAL_MAX_RUN = 4;
  static final int VAL_MAX_VALUE = 32;

  /** Bytes that one changed register can add: an XZERO becomes XZERO, VAL, XZERO. */
  static final int MAX_GROWTH_BYTES = 3;

  private static final int VAL_BIT = 0x80;
  private static final int XZERO_BIT = 0x40;
  private static final int RUN_BITS = 0x3f;

  /** Of each opcode of one byte how many registers it covers; 0 for the first byte of an XZERO. */
  private static final byte[] RUNS = new byte[256];

  static {
    for (int opcode = 0; opcode < RUNS.length; opcode++) {
      RUNS[opcode] =
          (byte) (isVal(opcode) ? valRun(opcode) : isXzero(opcode) ? 0 : zeroRun(opcode));
    }
  }

  private SparseOpcode() {}

  static boolean isVal(int opcode) {
    return (opcode & VAL_BIT) != 0;
  }

  static boolean isXzero(int opcode) {
    return (opcode & (VAL_BIT | XZERO_BIT)) == XZERO_BIT;
  }

  static int bytes(int opcode) {
    return isXzero(opcode) ? 2 : 1;
  }

  /** Registers that an opcode of one byte covers; 0 for the first byte of an XZERO. */
  static int shortRun(int opcode) {
    return RUNS[opcode & 0xff];
  }

  static int valRun(int opcode) {
    return (opcode & 3) + 1;
  }

  static int valValue(int opcode) {
    return (opcode >> 2 & 31) + 1;
  }

  private static int zeroRun(int opcode) {
    return (opcode & RUN_BITS) + 1;
  }

  static int xzeroRun(int opcode, int second) {
    return ((opcode & RUN_BITS) << 8 | (second & 0xff)) + 1;
  }

  static int val(int value, int run) {
    return VAL_BIT | (value - 1) << 2 | (run - 1);
  }

  static int zero(int run) {
    return run - 1;
  }

  /** Both bytes; the first one is the low one. */
  static int xzero(int run) {
    return XZERO_BIT | (run - 1) >> 8 | ((run - 1) & 0xff) << 8;
  }
}
