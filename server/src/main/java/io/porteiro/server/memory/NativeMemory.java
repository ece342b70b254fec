package io.porteiro.server.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

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

  /**
   * One shape for all functions, because the code for each shape of call is generated when the
   * process starts, which takes milliseconds. On x86-64 and AArch64 the first six arguments are in
   * registers of eight bytes whatever their types: a function reads the registers and the parts of
   * them that it knows, and leaves its result, if it has one, in the lower part of the register of
   * results.
   */
  private static final FunctionDescriptor SHAPE =
      FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG, LONG);

  private static final MethodHandle CALLOC = bind("calloc");
  private static final MethodHandle REALLOC = bind("realloc");
  private static final MethodHandle FREE = bind("free");
  private static final MethodHandle MMAP = bind("mmap");
  private static final MethodHandle MREMAP = bind("mremap");
  private static final MethodHandle MUNMAP = bind("munmap");
  private static final MethodHandle MADVISE = bind("madvise");

  private NativeMemory() {}

  private static MethodHandle bind(String name) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().findOrThrow(name);
    return linker.downcallHandle(symbol, SHAPE);
  }

  /**
   * Binds all functions, if that is not done yet: tens of milliseconds, which the thread that first
   * needs memory need not wait for.
   */
  static void link() {
    free(calloc(1));
  }

  private static long call(MethodHandle function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) function.invokeExact(a, b, c, d, e, f);
    } catch (Throwable t) {
      throw new IllegalStateException("native call failed", t);
    }
  }

  /** Zeroed bytes, or 0. */
  static long calloc(long size) {
    return call(CALLOC, 1, size, 0, 0, 0, 0);
  }

  /**
   * The same bytes in a block of another size (new ones not zeroed), or 0 and the old block
   * remains.
   */
  static long realloc(long address, long size) {
    return call(REALLOC, address, size, 0, 0, 0, 0);
  }

  static void free(long address) {
    var _ = call(FREE, address, 0, 0, 0, 0, 0);
  }

  /**
   * Gives pages that nothing is left in back to the kernel, also those in the midst of others;
   * nothing where the C library cannot (musl).
   */
  static void trim() {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> symbol = linker.defaultLookup().find("malloc_trim");
    if (symbol.isPresent()) {
      var _ = call(linker.downcallHandle(symbol.get(), SHAPE), 0, 0, 0, 0, 0, 0);
    }
  }

  /** Lazily zeroed pages, or 0. */
  static long map(long size) {
    long address = call(MMAP, 0, size, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0);
    return address == MAP_FAILED ? 0 : address;
  }

  /**
   * The same pages under perhaps another address, new ones zeroed; or 0 and the old map remains.
   */
  static long remap(long address, long oldSize, long newSize) {
    long moved = call(MREMAP, address, oldSize, newSize, MREMAP_MAYMOVE, 0, 0);
    return moved == MAP_FAILED ? 0 : moved;
  }

  static void unmap(long address, long size) {
    if ((int) call(MUNMAP, address, size, 0, 0, 0, 0) != 0) {
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
    return (int) call(MADVISE, address, size, advice, 0, 0, 0);
  }
}
