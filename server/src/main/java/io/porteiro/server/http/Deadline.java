package io.porteiro.server.http;

import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Closes a connection that takes too long for what it is at. On its event loop. */
final class Deadline {
  private final Channel channel;
  private @Nullable ScheduledFuture<?> end;

  Deadline(Channel channel) {
    this.channel = channel;
  }

  /** From now on it has so much time; what was set before no longer holds. */
  void set(Duration time) {
    cancel();
    end = channel.eventLoop().schedule(this::expire, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void expire() {
    var _ = channel.close();
  }

  void cancel() {
    if (end != null) {
      end.cancel(false);
      end = null;
    }
  }
}
