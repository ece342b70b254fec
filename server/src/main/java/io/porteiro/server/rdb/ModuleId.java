package io.porteiro.server.rdb;

/**
 * The 64 bits that name a module type: nine characters of 6 bits, the first one highest, and 10
 * bits of the version of its encoding.
 */
final class ModuleId {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  private static final int NAME_LENGTH = 9;
  private static final int CHARACTER_BITS = 6;
  private static final int VERSION_BITS = 10;

  private ModuleId() {}

  static long of(String name, int version) {
    long id = 0;
    for (int i = 0; i < NAME_LENGTH; i++) {
      id = id << CHARACTER_BITS | ALPHABET.indexOf(name.charAt(i));
    }
    return id << VERSION_BITS | version;
  }

  static String name(long id) {
    StringBuilder name = new StringBuilder(NAME_LENGTH);
    for (int shift = 64 - CHARACTER_BITS; shift >= VERSION_BITS; shift -= CHARACTER_BITS) {
      name.append(ALPHABET.charAt((int) (id >>> shift) & 0x3f));
    }
    return name.toString();
  }

  static int version(long id) {
    return (int) id & ((1 << VERSION_BITS) - 1);
  }
}
