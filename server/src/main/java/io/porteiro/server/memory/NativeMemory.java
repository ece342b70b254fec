package io.porteiro.server.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's allocation functions. Addresses are plain numbers; 0 (or -1 for maps) is a
 * refusal.
 */
@SuppressWarnings("restricted")
final class NativeMemory {
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
  private static final int MREMAP_MAYMOVE = 1;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_NOHUGEPAGE = 15;
  private static final int MADV_POPULATE_WRITE = 23;
  private static final long MAP_FAILED = -1;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private static final MethodHandle CALLOC =
      bind("calloc", FunctionDescriptor.of(LONG, LONG, LONG));
  private static final MethodHandle REALLOC =
      bind("realloc", FunctionDescriptor.of(LONG, LONG, LONG));
  private static final MethodHandle FREE = bind("free", FunctionDescriptor.ofVoid(LONG));
  private static final MethodHandle MMAP =
      bind("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
  private static final MethodHandle MREMAP =
      bind("mremap", FunctionDescriptor.of(LONG, LONG, LONG, LONG, INT));
  private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(INT, LONG, LONG));
  private static final MethodHandle MADVISE =
      bind("madvise", FunctionDescriptor.of(INT, LONG, LONG, INT));

  private NativeMemory() {}

  private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    return linker.downcallHandle(symbol, descriptor);
  }

  /** Zeroed bytes, or 0. */
  static long calloc(long size) {
    try {
      return (long) CALLOC.invokeExact(1L, size);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * The same bytes in a block of another size (new ones not zeroed), or 0 and the old block
   * remains.
   */
  static long realloc(long address, long size) {
    try {
      return (long) REALLOC.invokeExact(address, size);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Lazily zeroed pages, or 0. */
  static long map(long size) {
    try {
      long address =
          (long)
              MMAP.invokeExact(0L, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
      return address == MAP_FAILED ? 0 : address;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * The same pages under perhaps another address, new ones zeroed; or 0 and the old map remains.
   */
  static long remap(long address, long oldSize, long newSize) {
    try {
      long moved = (long) MREMAP.invokeExact(address, oldSize, newSize, MREMAP_MAYMOVE);
      return moved == MAP_FAILED ? 0 : moved;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static void unmap(long address, long size) {
    int result;
    try {
      result = (int) MUNMAP.invokeExact(address, size);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    if (result != 0) {
      throw new IllegalStateException("munmap refused " + size + " bytes at " + address);
    }
  }

  /** Advice only: a kernel without huge pages says no, and nothing is lost. */
  static void adviseHugePages(long address, long size, boolean huge) {
    advise(address, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  }

  /** Makes the pages present; false where the kernel (before 5.14) cannot, or memory is short. */
  static boolean populate(long address, long size) {
    return advise(address, size, MADV_POPULATE_WRITE) == 0;
  }

  private static int advise(long address, long size, int advice) {
    try {
      return (int) MADVISE.invokeExact(address, size, advice);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static IllegalStateException unexpected(Throwable e) {
    return new IllegalStateException("native call failed", e);
  }
}
