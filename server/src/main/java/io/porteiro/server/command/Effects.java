package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of one scope did, as commands that do it again: deterministic, whatever the
 * reader's clock and defaults. Arguments point into the request, or are small copies on the heap.
 */
public final class Effects {
  /** One argument: bytes on the heap, or else at an address. */
  public record Argument(byte @Nullable [] bytes, long address, int length) {}

  /** One command in a database. */
  public static final class Effect {
    private final int database;
    private final List<Argument> arguments = new ArrayList<>();

    private final boolean recorded;

    private Effect(int database, boolean recorded) {
      this.database = database;
      this.recorded = recorded;
    }

    /** Takes anything and keeps nothing: what commands write into where no journal listens. */
    static Effect unrecorded() {
      return new Effect(0, false);
    }

    public int database() {
      return database;
    }

    public List<Argument> arguments() {
      return arguments;
    }

    public Effect text(String text) {
      return recorded ? bytes(text.getBytes(StandardCharsets.ISO_8859_1)) : this;
    }

    public Effect number(long number) {
      return recorded ? text(Long.toString(number)) : this;
    }

    public Effect bytes(byte[] bytes) {
      if (recorded) {
        arguments.add(new Argument(bytes, 0, bytes.length));
      }
      return this;
    }

    /** Bytes that stay where they are until the scope ends. */
    public Effect memory(long address, int length) {
      if (recorded) {
        arguments.add(new Argument(null, address, length));
      }
      return this;
    }

    /** An argument of the request. */
    public Effect argument(Request request, int index) {
      return memory(request.address(index), request.length(index));
    }
  }

  private final List<Effect> effects = new ArrayList<>();

  public List<Effect> list() {
    return effects;
  }

  boolean isEmpty() {
    return effects.isEmpty();
  }

  Effect add(int database) {
    Effect effect = new Effect(database, true);
    effects.add(effect);
    return effect;
  }

  void clear() {
    effects.clear();
  }
}
