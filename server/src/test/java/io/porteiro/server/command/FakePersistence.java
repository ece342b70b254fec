package io.porteiro.server.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Persistence that notes what it is asked for and does what a test tells it to. */
public final class FakePersistence implements Persistence {
  private final List<String> calls = new ArrayList<>();
  private volatile boolean loading;
  private volatile @Nullable String writeRefusal;
  private @Nullable String saveFailure;
  private BackgroundSave backgroundSave = BackgroundSave.STARTED;
  private LogRewriteStart rewrite = LogRewriteStart.STARTED;
  private boolean saving;

  public void setLoading(boolean loading) {
    this.loading = loading;
  }

  public void setWriteRefusal(@Nullable String error) {
    writeRefusal = error;
  }

  /** Whether a save is running, so that another one is refused. */
  public void setSaving(boolean saving) {
    this.saving = saving;
    backgroundSave = saving ? BackgroundSave.ALREADY_RUNNING : BackgroundSave.STARTED;
  }

  /** Why saves fail from now on; null: they succeed. */
  public void setSaveFailure(@Nullable String failure) {
    saveFailure = failure;
  }

  /** What it was asked to do since the last call. */
  public List<String> take() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  @Override
  public boolean isLoading() {
    return loading;
  }

  @Override
  public boolean save(Consumer<@Nullable String> done) {
    if (saving) {
      return false;
    }
    calls.add("save");
    done.accept(saveFailure);
    return true;
  }

  @Override
  public BackgroundSave backgroundSave(boolean schedule) {
    calls.add(schedule ? "schedule" : "bgsave");
    return schedule && saving ? BackgroundSave.SCHEDULED : backgroundSave;
  }

  /** What BGREWRITEAOF is answered from now on. */
  public void setRewrite(LogRewriteStart start) {
    rewrite = start;
  }

  @Override
  public LogRewriteStart rewriteLog(boolean postponed) {
    calls.add(postponed ? "rewrite later" : "rewrite");
    return postponed ? LogRewriteStart.SCHEDULED : rewrite;
  }

  @Override
  public void reloadLog(Consumer<@Nullable String> done) {
    calls.add("reload log");
    done.accept(saveFailure);
  }

  @Override
  public long lastSaveSeconds() {
    return ManualClock.START_MS / 1000;
  }

  @Override
  public @Nullable String writeRefusal() {
    return writeRefusal;
  }

  @Override
  public long snapshots() {
    return 0;
  }

  @Override
  public long lastCutMicros() {
    return 0;
  }

  @Override
  public void appendInfo(StringBuilder info) {
    info.append("loading:").append(loading ? 1 : 0).append("\r\n");
  }

  @Override
  public void reload(Consumer<@Nullable String> done) {
    calls.add("reload");
    done.accept(saveFailure);
  }
}
