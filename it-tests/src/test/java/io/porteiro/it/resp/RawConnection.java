package io.porteiro.it.resp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * A client connection that sends any bytes and sees exactly what comes back and when. While it
 * sends it also takes in what arrives, so that deep pipelines cannot lock up both sides.
 */
public final class RawConnection implements AutoCloseable {
  private static final Duration SEND_LIMIT = Duration.ofSeconds(60);
  private static final int READ_BYTES = 1 << 18;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final ByteBuffer incoming = ByteBuffer.allocateDirect(READ_BYTES);
  private final ReplyParser parser = new ReplyParser(this);
  private Duration patience;
  private byte[] received = new byte[READ_BYTES];
  private int start;
  private int end;
  private boolean closedByPeer;

  private RawConnection(SocketAddress address, Duration patience) throws IOException {
    this.patience = patience;
    boolean unix = address instanceof UnixDomainSocketAddress;
    channel = unix ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
    channel.connect(address);
    if (!unix) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  /** Connects to a port of the loopback address; replies are awaited for five seconds. */
  public static RawConnection open(int port) {
    return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  public static RawConnection open(Path unixSocket) {
    return open(UnixDomainSocketAddress.of(unixSocket));
  }

  public static RawConnection open(SocketAddress address) {
    try {
      return new RawConnection(address, Duration.ofSeconds(5));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets how long a reply is awaited. */
  public RawConnection patience(Duration limit) {
    patience = limit;
    return this;
  }

  public Duration patience() {
    return patience;
  }

  public boolean closedByPeer() {
    return closedByPeer;
  }

  // ------------------------------------------------------------------ sending

  /** Sends a command and awaits its reply; an outcome such as CLOSED is returned, not thrown. */
  public Reply call(String... args) {
    send(args);
    return read();
  }

  public void send(String... args) {
    sendBytes(Bytes.toArray(encode(args)));
  }

  public void sendBytes(String bytes) {
    sendBytes(Bytes.toArray(bytes));
  }

  /** Sends all bytes, or as many as the peer takes before it closes. */
  public void sendBytes(byte[] bytes) {
    try {
      sendAll(ByteBuffer.wrap(bytes));
    } catch (IOException _) {
      closedByPeer = true; // a reset: what was received before it can still be read
    } finally {
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  private void sendAll(ByteBuffer rest) throws IOException {
    long deadline = System.nanoTime() + SEND_LIMIT.toNanos();
    while (rest.hasRemaining() && !closedByPeer) {
      if (channel.write(rest) == 0) {
        key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        awaitActivity(deadline);
        takeIn();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(rest.remaining() + " bytes not taken in " + SEND_LIMIT);
      }
    }
  }

  /** A command as the multibulk request that clients send. */
  public static String encode(String... args) {
    StringBuilder request = new StringBuilder().append('*').append(args.length).append("\r\n");
    for (String arg : args) {
      request.append('$').append(arg.length()).append("\r\n").append(arg).append("\r\n");
    }
    return request.toString();
  }

  /** Half-closes: the peer sees the end of our requests, we still read. */
  public void shutdownOutput() {
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ------------------------------------------------------------------ receiving

  /** The next reply; CLOSED or TIMEOUT where none comes. */
  public Reply read() {
    return read(patience);
  }

  /** The next reply, awaited for {@code limit}; a reply that is incomplete by then stays unread. */
  public Reply read(Duration limit) {
    try {
      return parser.read(System.nanoTime() + limit.toNanos());
    } catch (ReplyParser.NoReply e) {
      return e.outcome;
    }
  }

  /** Everything that has arrived and was not read yet, without waiting; it counts as read. */
  public String takeUnread() {
    return take(end - start);
  }

  /** Bytes that have arrived and were not read yet. */
  public int unread() {
    return end - start;
  }

  /** The unread bytes, at most {@code limit} of them, which stay unread. */
  public String peek(int limit) {
    return Bytes.of(Arrays.copyOfRange(received, start, Math.min(end, start + limit)));
  }

  /** Takes the next {@code count} unread bytes, or as many as there are. */
  public String take(int count) {
    String taken = peek(count);
    start += taken.length();
    return taken;
  }

  /** Waits for more bytes; false where none came in time or the peer closed. */
  public boolean fill(Duration limit) {
    if (closedByPeer) {
      return false;
    }
    int before = end - start;
    awaitActivity(System.nanoTime() + limit.toNanos());
    takeIn();
    return end - start > before;
  }

  /** Waits until the peer closes; what arrives meanwhile can be read. */
  public boolean awaitClose(Duration limit) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!closedByPeer && System.nanoTime() < deadline) {
      fill(Duration.ofNanos(deadline - System.nanoTime()));
    }
    return closedByPeer;
  }

  private void awaitActivity(long deadlineNanos) {
    long ms = Math.max(0, (deadlineNanos - System.nanoTime() + 999_999) / 1_000_000);
    try {
      if (ms == 0) {
        selector.selectNow();
      } else {
        selector.select(ms);
      }
      selector.selectedKeys().clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void takeIn() {
    try {
      incoming.clear();
      int count = channel.read(incoming);
      closedByPeer |= count < 0;
      append(incoming.flip());
    } catch (IOException _) {
      closedByPeer = true;
    }
  }

  private void append(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (end + count > received.length) {
      compact();
    }
    if (end + count > received.length) {
      received = Arrays.copyOf(received, Math.max(received.length * 2, end + count));
    }
    bytes.get(received, end, count);
    end += count;
  }

  private void compact() {
    if (start > 0) {
      System.arraycopy(received, start, received, 0, end - start);
      end -= start;
      start = 0;
    }
  }

  // ------------------------------------------------------------------ for the parser

  int available() {
    return end - start;
  }

  void skip(int count) {
    start += count;
  }

  /** The unread byte at {@code offset}. */
  byte at(int offset) {
    return received[start + offset];
  }

  String slice(int from, int to) {
    return new String(received, start + from, to - from, StandardCharsets.ISO_8859_1);
  }

  @Override
  public void close() {
    try {
      selector.close();
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
