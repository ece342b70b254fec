package io.porteiro.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The end of the process, as far as a test can bear it. */
public final class FakeLifecycle implements Lifecycle {
  /** What {@link #halt} throws, because it must not return. */
  public static final class Halted extends Error {
    private static final long serialVersionUID = 1L;

    Halted(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  private final List<String> calls = new ArrayList<>();
  private @Nullable String failure;
  private boolean abortable;

  /** Why shutdowns fail from now on; null: they never answer. */
  public void setFailure(@Nullable String error) {
    failure = error;
  }

  /** Whether there is a shutdown to abort. */
  public void setAbortable(boolean abortable) {
    this.abortable = abortable;
  }

  /** What it was asked to do since the last call. */
  public List<String> take() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  @Override
  public void shutdown(SaveMode mode, boolean now, boolean force, Consumer<String> failed) {
    calls.add("shutdown " + mode + (now ? " now" : "") + (force ? " force" : ""));
    if (failure != null) {
      failed.accept(failure);
    }
  }

  @Override
  public boolean abortShutdown() {
    calls.add("abort");
    return abortable;
  }

  @Override
  public void halt(String reason, Throwable cause) {
    calls.add("halt: " + reason);
    throw new Halted(reason, cause);
  }
}
