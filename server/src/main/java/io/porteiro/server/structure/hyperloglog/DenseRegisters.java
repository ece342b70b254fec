package io.porteiro.server.structure.hyperloglog;

import io.porteiro.server.memory.OffHeap;

/**
 * 16384 registers of 6 bits, packed without gaps from the least significant bit on.
 *
 * <pre>
 *   byte 0    byte 1    byte 2    byte 3
 *  +--------+--------+--------+--------+--
 *  |11000000|22221111|33333322|44444444|..     (the digit is the register, from 0 on: 0, 1, 2 ...)
 *  +--------+--------+--------+--------+--
 * </pre>
 *
 * <p>Eight registers fill six bytes, a <em>group</em>. A group is read and written as the low 48
 * bits of a word; the last one apart, because no access leaves the 12288 bytes.
 */
final class DenseRegisters {
  static final int REGISTER_BITS = 6;
  static final int BYTES = HyperLogLog.REGISTERS * REGISTER_BITS / Byte.SIZE;

  /** Registers of a group. */
  static final int PER_GROUP = 8;

  static final int GROUPS = HyperLogLog.REGISTERS / PER_GROUP;

  /** The highest bit of each register of a group. */
  static final long TOP_BITS = 0x0000820820820820L;

  /** The bit above each register of a group. */
  private static final long ABOVE_TOP_BITS = TOP_BITS << 1;

  private static final int REGISTER_MASK = 0x3f;
  private static final int GROUP_BYTES = 6;
  private static final long GROUP_MASK = 0x0000ffffffffffffL;
  private static final int BITS_ABOVE_GROUP = 16;

  /** So many groups are compared between two looks at the outcome. */
  private static final int COMPARED_GROUPS = 128;

  private DenseRegisters() {}

  static int get(long registers, int register) {
    long at = pairOffset(register);
    int pair = Short.toUnsignedInt(OffHeap.getShort(registers + at));
    return (pair >>> (6L * register - 8 * at)) & REGISTER_MASK;
  }

  static void set(long registers, int register, int value) {
    long at = pairOffset(register);
    long shift = 6L * register - 8 * at;
    int pair = OffHeap.getShort(registers + at) & ~(REGISTER_MASK << shift);
    OffHeap.putShort(registers + at, (short) (pair | value << shift));
  }

  /** Of the two bytes that hold the register; the last register fits the last two. */
  private static long pairOffset(int register) {
    return Math.min((6L * register) >>> 3, BYTES - 2);
  }

  /** A group that is not the last. */
  static long group(long registers, int group) {
    return OffHeap.getLong(registers + (long) GROUP_BYTES * group) & GROUP_MASK;
  }

  static long lastGroup(long registers) {
    return OffHeap.getLong(registers + BYTES - Long.BYTES) >>> BITS_ABOVE_GROUP;
  }

  static long anyGroup(long registers, int group) {
    return group < GROUPS - 1 ? group(registers, group) : lastGroup(registers);
  }

  /** Sets a group that is not the last. The first two bytes of the next one become undefined. */
  static void setGroup(long registers, int group, long value) {
    OffHeap.putLong(registers + (long) GROUP_BYTES * group, value);
  }

  static void setLastGroup(long registers, long value) {
    long at = registers + BYTES - GROUP_BYTES;
    OffHeap.putInt(at, (int) value);
    OffHeap.putShort(at + Integer.BYTES, (short) (value >>> Integer.SIZE));
  }

  /** Whether no register of the others is above the same one of these. Ends early where one is. */
  static boolean cover(long registers, long others) {
    for (int group = 0; group < GROUPS - 1; group += COMPARED_GROUPS) {
      int end = Math.min(group + COMPARED_GROUPS, GROUPS - 1);
      if ((borrowed(registers, others, group, end) & ABOVE_TOP_BITS) != 0) {
        return false;
      }
    }
    return (borrowed(lastGroup(registers), lastGroup(others)) & ABOVE_TOP_BITS) == 0;
  }

  private static long borrowed(long registers, long others, int group, int endGroup) {
    long borrowed = 0;
    long end = (long) GROUP_BYTES * endGroup;
    for (long at = (long) GROUP_BYTES * group; at < end; at += GROUP_BYTES) {
      borrowed |= borrowed(OffHeap.getLong(registers + at), OffHeap.getLong(others + at));
    }
    return borrowed;
  }

  /**
   * The bits of which left - right borrowed for the bits below: there the difference is not left ^
   * right. As long as no register is less, none borrows from its neighbour; the lowest that is less
   * does.
   */
  private static long borrowed(long left, long right) {
    return left ^ right ^ (left - right);
  }
}
