package io.porteiro.server.http;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * The open connections, so many at most: where one more comes, the one that has been waiting
 * longest for a request is closed. So those that only hold their place open cannot keep a probe
 * out. On the event loop of HTTP alone.
 */
final class Connections {
  private final int limit;

  /** Those without a whole request, longest first. */
  private final LinkedHashSet<Channel> waiting = new LinkedHashSet<>();

  private final LinkedHashSet<Channel> answered = new LinkedHashSet<>();

  Connections(int limit) {
    this.limit = limit;
  }

  /** It has no request. */
  void waits(Channel channel) {
    answered.remove(channel);
    waiting.add(channel);
    if (waiting.size() + answered.size() > limit) {
      closeOne();
    }
  }

  /** Its request is being answered. */
  void isAnswered(Channel channel) {
    waiting.remove(channel);
    answered.add(channel);
  }

  void closed(Channel channel) {
    waiting.remove(channel);
    answered.remove(channel);
  }

  private void closeOne() {
    Iterator<Channel> oldest = waiting.iterator();
    Channel channel = oldest.next();
    oldest.remove();
    var _ = channel.close();
  }

  void closeAll() {
    waiting.forEach(Channel::close);
    answered.forEach(Channel::close);
  }

  int count() {
    return waiting.size() + answered.size();
  }
}
