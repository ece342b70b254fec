package io.porteiro.server.command.bloom;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.command.CommandException;
import io.porteiro.server.command.Errors;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.bloom.HashWidth;
import org.jspecify.annotations.Nullable;

/** The filter under the key that is argument 1 of every command here. */
final class Filters {
  static final String NOT_FOUND = "ERR not found";

  private Filters() {}

  /**
   * The filter of an entry.
   *
   * @throws CommandException if it holds something else
   */
  static BloomFilter of(Entry entry) {
    if (entry.value() instanceof BloomFilter filter) {
      return filter;
    }
    throw Errors.wrongType();
  }

  /** To look-ups a key of another type is as good as none. */
  static @Nullable BloomFilter ofOrNull(@Nullable Entry entry) {
    return entry != null && entry.value() instanceof BloomFilter filter ? filter : null;
  }

  /**
   * The filter, if there is one that takes the hashes that commands make; not one of an old file.
   */
  static @Nullable BloomFilter of64BitsOrNull(@Nullable Entry entry) {
    BloomFilter filter = ofOrNull(entry);
    return filter != null && filter.hashWidth() == HashWidth.BITS_64 ? filter : null;
  }

  /** The filter to read, which must be there. */
  static BloomFilter read(CommandContext context) {
    Entry entry = context.read(context.key(1));
    if (entry == null) {
      throw new CommandException(NOT_FOUND);
    }
    return of(entry);
  }
}
