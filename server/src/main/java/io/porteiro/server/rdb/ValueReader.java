package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.structure.string.StringValue;
import java.io.IOException;

/** Reads values behind their type byte, straight into their place off-heap. */
final class ValueReader {
  private final MemoryPool pool;

  ValueReader(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * Reads a value, or skips one of a type that we do not have.
   *
   * @param type the byte before it (before the key, in a file)
   * @throws RdbFormatException if it is damaged or not understood; nothing stays allocated
   * @throws io.porteiro.server.memory.MemoryLimitException if there is no room; likewise
   */
  Decoded read(RdbInput in, int type) throws IOException {
    return switch (type) {
      case ValueCode.STRING -> new Decoded.Ours(readString(in));
      case ValueCode.MODULE -> readModule(in);
      default -> new Decoded.Foreign(ForeignValue.skip(in, type));
    };
  }

  private StringValue readString(RdbInput in) throws IOException {
    StringForm form = StringForm.read(in);
    if (form instanceof StringForm.Decimal decimal) {
      return StringValue.ofNumber(pool, decimal.number());
    }
    Block bytes = pool.allocate(form.length());
    try {
      StringInput.readContent(in, form, bytes.address());
      return StringValue.adopt(pool, bytes, form.length());
    } catch (IOException | RuntimeException e) {
      bytes.release();
      throw e;
    }
  }

  private Decoded readModule(RdbInput in) throws IOException {
    long id = LengthCode.read(in);
    if (BloomCodec.isBloom(id)) {
      return new Decoded.Ours(BloomCodec.read(in, pool, ModuleId.version(id)));
    }
    ModuleItem.skipAll(in);
    return new Decoded.Foreign(ModuleId.name(id));
  }
}
