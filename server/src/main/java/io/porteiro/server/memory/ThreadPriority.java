package io.porteiro.server.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Priorities of threads in the eyes of the operating system, which those of Java are not. It stands
 * here because it calls the C library, which this package alone does.
 */
public final class ThreadPriority {
  private static final int PRIO_PROCESS = 0;
  private static final int CALLER = 0;
  private static final int NICEST = 19;

  private ThreadPriority() {}

  /**
   * Gives the calling thread, and those that it starts from now on, only what processor time others
   * leave. For good: taking it back would need rights.
   *
   * @return false where that cannot be done for a thread alone, as outside of Linux
   */
  @SuppressWarnings("restricted")
  public static boolean lower() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return false; // elsewhere it is the whole process that would be lowered
    }
    ValueLayout.OfInt integer = ValueLayout.JAVA_INT;
    Linker linker = Linker.nativeLinker();
    MethodHandle setpriority =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("setpriority"),
            FunctionDescriptor.of(integer, integer, integer, integer));
    try {
      return (int) setpriority.invokeExact(PRIO_PROCESS, CALLER, NICEST) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("native call failed", e);
    }
  }
}
