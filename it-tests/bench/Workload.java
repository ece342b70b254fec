import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Data to be saved, and the writes that go on meanwhile. */
enum Workload implements Load.Commands {
  /** One filter, half of whose bits are set, as in one that is full. */
  BLOOM("BF.ADD, one filter", 4) {
    private static final byte[] ADD = begin(3, "BF.ADD", "f", "item");

    @Override
    void fill(Server server, int mib) throws IOException {
      server.call("BF.RESERVE", "f", "0.01", Long.toString(mib * 800_000L));
      Random random = new Random(1);
      byte[] chunk = new byte[1 << 24];
      long bytes = server.info("f");
      for (long at = 0; at < bytes; at += chunk.length) {
        random.nextBytes(chunk);
        int length = (int) Math.min(chunk.length, bytes - at);
        server.callBytes(
            bytes("BF.LOADCHUNK"),
            bytes("f"),
            bytes(Long.toString(at + length + 1)),
            java.util.Arrays.copyOf(chunk, length));
      }
    }

    @Override
    public void append(Load.Buffer to) {
      to.add(ADD);
      to.addDigits(next.getAndIncrement());
      to.add(LINE_END);
    }
  },

  STRINGS("SET, keys of 1 KiB", 5) {
    private static final byte[] SET = begin(3, "SET", "key");
    private static final byte[] VALUE_FOLLOWS = bytes("\r\n$1024\r\n");

    private final byte[] value = new byte[1 << 10];

    @Override
    void fill(Server server, int mib) throws IOException {
      new Random(1).nextBytes(value);
      keys = mib << 10;
      for (int i = 0; i < keys; i++) {
        server.pipeline(bytes("SET"), key(i), value);
      }
      server.await();
    }

    @Override
    public void append(Load.Buffer to) {
      to.add(SET);
      to.addDigits(ThreadLocalRandom.current().nextInt(keys));
      to.add(VALUE_FOLLOWS);
      to.add(value);
      to.add(LINE_END);
    }
  },

  HYPERLOGLOGS("PFADD, dense HyperLogLogs", 4) {
    private static final byte[] ADD = begin(3, "PFADD", "key");
    private static final byte[] ITEM_FOLLOWS = bytes("\r\n$10\r\n");

    @Override
    void fill(Server server, int mib) throws IOException {
      byte[] dense = new byte[12304];
      new Random(1).nextBytes(dense);
      System.arraycopy(bytes("HYLL\0\0\0\0"), 0, dense, 0, 8);
      for (int i = 16; i < dense.length; i += 3) {
        dense[i] &= (byte) 0xc3; // four registers of at most 15
        dense[i] = (byte) (dense[i] & 0x0f | dense[i] & 0xc0);
        dense[i + 1] &= (byte) 0x3c;
        dense[i + 2] &= (byte) 0x3c;
      }
      keys = (mib << 10) / 12;
      for (int i = 0; i < keys; i++) {
        server.pipeline(bytes("SET"), key(i), dense);
      }
      server.await();
    }

    @Override
    public void append(Load.Buffer to) {
      to.add(ADD);
      to.addDigits(ThreadLocalRandom.current().nextInt(keys));
      to.add(ITEM_FOLLOWS);
      to.addDigits(next.getAndIncrement());
      to.add(LINE_END);
    }
  };

  private static final byte[] LINE_END = bytes("\r\n");

  final String title;
  final AtomicLong next = new AtomicLong();
  int keys;
  private final int replyBytes;

  Workload(String title, int replyBytes) {
    this.title = title;
    this.replyBytes = replyBytes;
  }

  /** Makes data of about so many MiB. */
  abstract void fill(Server server, int mib) throws IOException;

  @Override
  public int replyBytes() {
    return replyBytes;
  }

  private static byte[] key(int number) {
    return bytes(String.format(Locale.ROOT, "key%0" + Load.Buffer.DIGITS + "d", number));
  }

  /**
   * The beginning of a command, up to the digits in which its last word here ends.
   *
   * @param arguments as many as the whole command has
   */
  private static byte[] begin(int arguments, String... words) {
    StringBuilder text = new StringBuilder("*" + arguments + "\r\n");
    for (int i = 0; i < words.length; i++) {
      boolean last = i == words.length - 1;
      int length = words[i].length() + (last ? Load.Buffer.DIGITS : 0);
      text.append("$").append(length).append("\r\n").append(words[i]).append(last ? "" : "\r\n");
    }
    return bytes(text.toString());
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  static byte[] command(String... words) {
    byte[][] arguments = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = bytes(words[i]);
    }
    return command(arguments);
  }

  static byte[] command(byte[]... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes("*" + arguments.length + "\r\n"));
    for (byte[] argument : arguments) {
      out.writeBytes(bytes("$" + argument.length + "\r\n"));
      out.writeBytes(argument);
      out.writeBytes(bytes("\r\n"));
    }
    return out.toByteArray();
  }
}
