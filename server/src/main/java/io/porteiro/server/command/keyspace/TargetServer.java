package io.porteiro.server.command.keyspace;

import io.porteiro.server.memory.OffHeap;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another server, for a thread that may wait. Each single wait, for the connection,
 * for a piece to be taken and for a line of a reply, is limited.
 */
final class TargetServer implements AutoCloseable {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int MAX_LINE_BYTES = 1024;

  /** Cuts connections whose peer does not take what is written: a socket has no limit for that. */
  private static final ScheduledThreadPoolExecutor CUTTER = cutter();

  private final Socket raw;
  private final int timeoutMs;
  private final byte[] piece = new byte[PIECE_BYTES];
  private int filled;
  private OutputStream out;
  private InputStream in;

  private TargetServer(Socket raw, int timeoutMs) throws IOException {
    this.raw = raw;
    this.timeoutMs = timeoutMs;
    this.out = raw.getOutputStream();
    this.in = new BufferedInputStream(raw.getInputStream());
  }

  private static ScheduledThreadPoolExecutor cutter() {
    ScheduledThreadPoolExecutor cutter =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("migrate-cutter").factory());
    cutter.setRemoveOnCancelPolicy(true);
    return cutter;
  }

  /**
   * Connects.
   *
   * @param encryption for an encrypted connection, else null
   */
  static TargetServer connect(
      String host, int port, int timeoutMs, @Nullable SSLSocketFactory encryption)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), timeoutMs);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(timeoutMs);
      TargetServer server = new TargetServer(socket, timeoutMs);
      if (encryption != null) {
        server.encrypt((SSLSocket) encryption.createSocket(socket, host, port, true));
      }
      return server;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private void encrypt(SSLSocket encrypted) throws IOException {
    encrypted.startHandshake();
    out = encrypted.getOutputStream();
    in = new BufferedInputStream(encrypted.getInputStream());
  }

  /** Sends a command of this many arguments, which follow. */
  void command(int arguments) throws IOException {
    text("*" + arguments + "\r\n");
  }

  void argument(byte[] bytes) throws IOException {
    text("$" + bytes.length + "\r\n");
    put(bytes);
    text("\r\n");
  }

  void argument(String text) throws IOException {
    argument(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** An argument in memory. */
  void argument(long address, long length) throws IOException {
    text("$" + length + "\r\n");
    long done = 0;
    while (done < length) {
      int step = (int) Math.min(length - done, PIECE_BYTES - filled);
      OffHeap.copyTo(address + done, piece, filled, step);
      done += step;
      advance(step);
    }
    text("\r\n");
  }

  private void text(String text) throws IOException {
    put(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private void put(byte[] bytes) throws IOException {
    int done = 0;
    while (done < bytes.length) {
      int step = Math.min(bytes.length - done, PIECE_BYTES - filled);
      System.arraycopy(bytes, done, piece, filled, step);
      done += step;
      advance(step);
    }
  }

  private void advance(int bytes) throws IOException {
    filled += bytes;
    if (filled == PIECE_BYTES) {
      flush();
    }
  }

  /** Sends what was written so far. */
  void flush() throws IOException {
    ScheduledFuture<?> cutting = CUTTER.schedule(this::close, timeoutMs, TimeUnit.MILLISECONDS);
    try {
      out.write(piece, 0, filled);
      filled = 0;
    } finally {
      cutting.cancel(false);
    }
  }

  /**
   * The first line of the next reply, without its end.
   *
   * @throws IOException if it does not come in time, or the connection ends
   */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.length() == MAX_LINE_BYTES) {
        throw new IOException(b < 0 ? "the connection ended" : "the line is too long");
      }
      line.append((char) b);
    }
    boolean ended = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
    return ended ? line.substring(0, line.length() - 1) : line.toString();
  }

  @Override
  public void close() {
    try {
      raw.close();
    } catch (IOException _) {
      // nothing is lost: all that counts was acknowledged or not
    }
  }
}
