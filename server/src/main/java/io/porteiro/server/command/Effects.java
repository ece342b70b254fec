package io.porteiro.server.command;

import io.porteiro.protocol.Request;
import io.porteiro.protocol.RequestWriter;
import io.porteiro.server.memory.OffHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of one scope did, as commands that do it again: deterministic, whatever the
 * reader's clock and defaults. Arguments point into the request, or are small copies on the heap.
 *
 * <p>Used again for every scope; noting a command as it came makes no objects.
 */
public final class Effects {
  /** One command in a database. */
  public static final class Effect {
    private static final int MIN_ARGUMENTS = 4;

    /** Larger ones are not kept for the next scope. */
    private static final int MAX_KEPT_ARGUMENTS = 1 << 10;

    /** Stands for an argument that is the number in {@link #values}. */
    private static final Object NUMBER = new Object();

    private final boolean recorded;
    private int database;
    private int count;
    private long argumentBytes;

    /** Of each argument a String, a byte[], {@link #NUMBER}, or null: bytes at an address. */
    private @Nullable Object[] objects = new Object[MIN_ARGUMENTS];

    /** Addresses and numbers. */
    private long[] values = new long[MIN_ARGUMENTS];

    private int[] lengths = new int[MIN_ARGUMENTS];

    private Effect(boolean recorded) {
      this.recorded = recorded;
    }

    /** Takes anything and keeps nothing: what commands write into where no journal listens. */
    static Effect unrecorded() {
      return new Effect(false);
    }

    private void begin(int newDatabase) {
      database = newDatabase;
      count = 0;
      argumentBytes = 0;
    }

    private void forget() {
      if (values.length > MAX_KEPT_ARGUMENTS) {
        grow(0, MIN_ARGUMENTS);
      }
      Arrays.fill(objects, null);
    }

    public int database() {
      return database;
    }

    /** Bytes that {@link #writeTo} writes. */
    public long byteCount() {
      return RequestWriter.headBytes(count) + argumentBytes;
    }

    /**
     * Writes the command as a client would send it.
     *
     * @return the address behind it
     */
    public long writeTo(long address) {
      long at = RequestWriter.head(address, count);
      for (int i = 0; i < count; i++) {
        at = write(i, at);
      }
      return at;
    }

    private long write(int i, long at) {
      Object object = objects[i];
      if (object == null) {
        return RequestWriter.argument(at, values[i], lengths[i]);
      }
      if (object == NUMBER) {
        return RequestWriter.argument(at, values[i]);
      }
      return object instanceof String text
          ? RequestWriter.argument(at, text)
          : RequestWriter.argument(at, (byte[]) object);
    }

    /** The arguments, the command's name first. For tests. */
    List<byte[]> arguments() {
      List<byte[]> arguments = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        arguments.add(argument(i));
      }
      return arguments;
    }

    private byte[] argument(int i) {
      Object object = objects[i];
      if (object == null) {
        return OffHeap.toArray(values[i], lengths[i]);
      }
      if (object instanceof byte[] bytes) {
        return bytes;
      }
      String text = object == NUMBER ? Long.toString(values[i]) : (String) object;
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A text, one byte a char. */
    public Effect text(String text) {
      return add(text, 0, text.length());
    }

    public Effect number(long number) {
      return add(NUMBER, number, RequestWriter.numberLength(number));
    }

    public Effect bytes(byte[] bytes) {
      return add(bytes, 0, bytes.length);
    }

    /** Bytes that stay where they are until the scope ends. */
    public Effect memory(long address, int length) {
      return add(null, address, length);
    }

    /** An argument of the request. */
    public Effect argument(Request request, int index) {
      return memory(request.address(index), request.length(index));
    }

    private Effect add(@Nullable Object object, long value, int length) {
      if (!recorded) {
        return this;
      }
      if (count == values.length) {
        grow(count, 2 * count);
      }
      objects[count] = object;
      values[count] = value;
      lengths[count] = length;
      argumentBytes += RequestWriter.argumentBytes(length);
      count++;
      return this;
    }

    private void grow(int kept, int capacity) {
      objects = Arrays.copyOf(Arrays.copyOf(objects, kept), capacity);
      values = Arrays.copyOf(values, capacity);
      lengths = Arrays.copyOf(lengths, capacity);
    }
  }

  /** More are not kept for the next scope. */
  private static final int MAX_KEPT = 64;

  private final List<Effect> effects = new ArrayList<>();
  private int size;

  /** How many there are. */
  public int size() {
    return size;
  }

  /** Effect {@code i}, in the order in which they came about. */
  public Effect get(int i) {
    if (i >= size) {
      throw new IndexOutOfBoundsException(i);
    }
    return effects.get(i);
  }

  boolean isEmpty() {
    return size == 0;
  }

  Effect add(int database) {
    if (size == effects.size()) {
      effects.add(new Effect(true));
    }
    Effect effect = effects.get(size++);
    effect.begin(database);
    return effect;
  }

  void clear() {
    for (int i = 0; i < size; i++) {
      effects.get(i).forget();
    }
    if (effects.size() > MAX_KEPT) {
      effects.subList(MAX_KEPT, effects.size()).clear();
    }
    size = 0;
  }
}
