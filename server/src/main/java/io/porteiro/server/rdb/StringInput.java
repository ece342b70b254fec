package io.porteiro.server.rdb;

import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads strings: to the heap, to their place off-heap, or past them. */
final class StringInput {
  /**
   * Only keys and remarks come to the heap: Redis's own bound on a string, and less where the heap
   * could not hold it, so that a crafted file is refused instead of ending the process.
   */
  private static final long MAX_HEAP_BYTES =
      Math.min(512L << 20, Runtime.getRuntime().maxMemory() / 4);

  private StringInput() {}

  /**
   * A string on the heap.
   *
   * @throws RdbFormatException also if it is too long for the heap
   */
  static byte[] read(RdbInput in, MemoryPool pool) throws IOException {
    StringForm form = StringForm.read(in);
    if (form.length() > MAX_HEAP_BYTES) {
      throw in.bad("a key of " + form.length() + " bytes, more than there is room for");
    }
    return readContent(in, form, pool);
  }

  /** A string on the heap if it is not longer than {@code limit}; else it is skipped, and null. */
  static byte @Nullable [] readShort(RdbInput in, long limit, MemoryPool pool) throws IOException {
    StringForm form = StringForm.read(in);
    if (form.length() <= limit) {
      return readContent(in, form, pool);
    }
    skipContent(in, form);
    return null;
  }

  private static byte[] readContent(RdbInput in, StringForm form, MemoryPool pool)
      throws IOException {
    if (form instanceof StringForm.Decimal decimal) {
      return ascii(decimal);
    }
    Block bytes = pool.allocate(form.length());
    try {
      readContent(in, form, bytes.address());
      return OffHeap.toArray(bytes.address(), (int) form.length());
    } finally {
      bytes.release();
    }
  }

  private static byte[] ascii(StringForm.Decimal decimal) {
    return Integer.toString(decimal.number()).getBytes(StandardCharsets.US_ASCII);
  }

  /** What follows a form: {@code form.length()} bytes, to {@code to}. */
  static void readContent(RdbInput in, StringForm form, long to) throws IOException {
    switch (form) {
      case StringForm.Plain plain -> in.readFully(to, plain.length());
      case StringForm.Packed packed ->
          LzfDecoder.decode(in, packed.packedLength(), to, packed.length());
      case StringForm.Decimal decimal -> {
        byte[] text = ascii(decimal);
        OffHeap.copyFrom(text, 0, to, text.length);
      }
    }
  }

  static void skip(RdbInput in) throws IOException {
    skipContent(in, StringForm.read(in));
  }

  private static void skipContent(RdbInput in, StringForm form) throws IOException {
    switch (form) {
      case StringForm.Plain plain -> in.skip(plain.length());
      case StringForm.Packed packed -> in.skip(packed.packedLength());
      case StringForm.Decimal _ -> {}
    }
  }
}
