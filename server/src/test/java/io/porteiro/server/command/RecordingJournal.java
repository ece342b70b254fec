package io.porteiro.server.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A journal that keeps its units as text: the effects of a unit joined by {@code "; "}, each the
 * number of its database and its arguments: {@code 0: SET k v; 3: DEL x}. The position is the
 * number of units.
 */
public final class RecordingJournal implements Journal {
  private final List<String> units = new ArrayList<>();
  private long position;
  private volatile boolean active = true;
  private volatile long syncedPosition;

  /** Whether it listens; it does at first. */
  public void setActive(boolean active) {
    this.active = active;
  }

  @Override
  public boolean isActive() {
    return active;
  }

  @Override
  public synchronized long append(Effects unit) {
    units.add(
        IntStream.range(0, unit.size())
            .mapToObj(i -> text(unit.get(i)))
            .collect(Collectors.joining("; ")));
    return ++position;
  }

  @Override
  public long releasedPosition() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isFailing() {
    return false;
  }

  @Override
  public void endTurn(Runnable caller) {}

  @Override
  public void onRelease(Runnable listener) {}

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public long syncedPosition() {
    return syncedPosition;
  }

  public void setSyncedPosition(long position) {
    syncedPosition = position;
  }

  /** At once: what is not synced will not be in time. */
  @Override
  public void awaitSynced(long position, long timeoutMs, Consumer<Boolean> done) {
    done.accept(position <= syncedPosition);
  }

  /** The units since the last call. */
  public synchronized List<String> take() {
    List<String> taken = List.copyOf(units);
    units.clear();
    return taken;
  }

  public synchronized long position() {
    return position;
  }

  private static String text(Effects.Effect effect) {
    return effect.database()
        + ": "
        + effect.arguments().stream().map(RecordingJournal::text).collect(Collectors.joining(" "));
  }

  private static String text(byte[] bytes) {
    String latin = new String(bytes, StandardCharsets.ISO_8859_1);
    boolean plain =
        !latin.isEmpty() && latin.chars().allMatch(c -> c > ' ' && c <= '~' && c != '"');
    return plain ? latin : ReplyText.quoted(latin);
  }
}
