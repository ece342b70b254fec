package io.porteiro.server.http.health;

import io.porteiro.server.command.Persistence;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether clients should be sent here: the data are loaded, and writes are accepted. */
public final class Readiness {
  private final Persistence persistence;
  private final BooleanSupplier ending;

  /**
   * @param ending whether the server is about to end
   */
  public Readiness(Persistence persistence, BooleanSupplier ending) {
    this.persistence = persistence;
    this.ending = ending;
  }

  /** What stands against it, in a sentence; null if nothing does. */
  public @Nullable String obstacle() {
    if (ending.getAsBoolean()) {
      return "The server is shutting down.";
    }
    if (persistence.isLoading()) {
      return "The data are being loaded.";
    }
    String refusal = persistence.writeRefusal();
    return refusal == null ? null : "Writes are refused: " + refusal;
  }
}
