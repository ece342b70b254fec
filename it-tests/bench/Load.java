import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends commands at a fixed rate, whether or not the server keeps up, and measures each from the
 * moment at which it was due; so a pause of the server shows in all commands that it delayed.
 */
final class Load {
  private static final int CONNECTIONS = 4;
  private static final long TICK_NANOS = 1_000_000;

  /** Commands without a rate that are on their way at once, per connection. */
  private static final int WINDOW = 256;

  /** Commands whose replies all have the same length. */
  interface Commands {
    /**
     * Appends the next command. Several threads ask. Leaves no garbage: a collection here would stop
     * the clock that the server is measured with.
     */
    void append(Buffer to);

    int replyBytes();
  }

  /** Bytes to be sent. */
  static final class Buffer {
    /** Of every number. */
    static final int DIGITS = 10;

    byte[] bytes = new byte[1 << 16];
    int length;

    void add(byte[] more) {
      reserve(more.length);
      System.arraycopy(more, 0, bytes, length, more.length);
      length += more.length;
    }

    void addDigits(long number) {
      reserve(DIGITS);
      long rest = number;
      for (int i = length + DIGITS - 1; i >= length; i--) {
        bytes[i] = (byte) ('0' + rest % 10);
        rest /= 10;
      }
      length += DIGITS;
    }

    private void reserve(int more) {
      if (length + more > bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, 2 * (length + more));
      }
    }
  }

  private record Batch(long dueNanos, int commands) {}

  private Load() {}

  /** The most commands a second that the server answers. */
  static double fullRate(int port, Commands commands, long nanos) throws Exception {
    long[] answered = new long[CONNECTIONS];
    long start = System.nanoTime();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .start(() -> answered[number] = unlimited(port, commands, start + nanos)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long sum = 0;
    for (long count : answered) {
      sum += count;
    }
    return sum * 1e9 / (System.nanoTime() - start);
  }

  private static long unlimited(int port, Commands commands, long endNanos) {
    long answered = 0;
    Buffer buffer = new Buffer();
    try (Socket socket = connect(port)) {
      while (System.nanoTime() - endNanos < 0) {
        send(socket.getOutputStream(), commands, buffer, WINDOW);
        socket.getInputStream().readNBytes(WINDOW * commands.replyBytes());
        answered += WINDOW;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return answered;
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setTcpNoDelay(true);
    return socket;
  }

  private static void send(OutputStream out, Commands commands, Buffer buffer, int count)
      throws IOException {
    buffer.length = 0;
    for (int i = 0; i < count; i++) {
      commands.append(buffer);
    }
    out.write(buffer.bytes, 0, buffer.length);
  }

  /** Sends so many commands a second for so long. */
  static Latencies atRate(int port, Commands commands, double perSecond, long nanos)
      throws Exception {
    Latencies latencies = new Latencies();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      Socket socket = connect(port);
      BlockingQueue<Batch> sent = new LinkedBlockingQueue<>();
      long start = System.nanoTime() + i * TICK_NANOS / CONNECTIONS;
      double perTick = perSecond / CONNECTIONS * TICK_NANOS / 1e9;
      threads.add(
          Thread.ofPlatform()
              .start(() -> sendTicks(socket, commands, perTick, start, nanos, sent)));
      threads.add(
          Thread.ofPlatform().start(() -> receive(socket, commands.replyBytes(), sent, latencies)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return latencies;
  }

  private static void sendTicks(
      Socket socket,
      Commands commands,
      double perTick,
      long start,
      long nanos,
      BlockingQueue<Batch> sent) {
    Buffer buffer = new Buffer();
    double owed = 0;
    try {
      for (long due = start; due - start < nanos; due += TICK_NANOS) {
        waitUntil(due);
        owed += perTick;
        int count = (int) owed;
        owed -= count;
        sent.add(new Batch(due, count));
        send(socket.getOutputStream(), commands, buffer, count);
      }
      sent.add(new Batch(0, -1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void receive(
      Socket socket, int replyBytes, BlockingQueue<Batch> sent, Latencies latencies) {
    byte[] bytes = new byte[1 << 16];
    try (socket) {
      InputStream in = socket.getInputStream();
      for (Batch batch = sent.take(); batch.commands >= 0; batch = sent.take()) {
        long left = (long) batch.commands * replyBytes;
        while (left > 0) {
          int read = in.read(bytes, 0, (int) Math.min(left, bytes.length));
          if (read < 0) {
            throw new IllegalStateException("the server closed the connection");
          }
          left -= read;
          latencies.add(System.nanoTime() - batch.dueNanos, read / replyBytes);
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
