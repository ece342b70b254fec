import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Data to be saved, and the writes that go on meanwhile. */
enum Workload implements Load.Commands {
  /** One filter, half of whose bits are set, as in one that is full. */
  BLOOM("BF.ADD, one filter", 4) {
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
      to.add(command("BF.ADD", "f", "item" + next.getAndIncrement()));
    }
  },

  STRINGS("SET, keys of 1 KiB", 5) {
    private final byte[] value = new byte[1 << 10];

    @Override
    void fill(Server server, int mib) throws IOException {
      new Random(1).nextBytes(value);
      keys = mib << 10;
      for (int i = 0; i < keys; i++) {
        server.pipeline(bytes("SET"), bytes("key" + i), value);
      }
      server.await();
    }

    @Override
    public void append(Load.Buffer to) {
      String key = "key" + ThreadLocalRandom.current().nextInt(keys);
      to.add(command(bytes("SET"), bytes(key), value));
    }
  },

  HYPERLOGLOGS("PFADD, dense HyperLogLogs", 4) {
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
        server.pipeline(bytes("SET"), bytes("key" + i), dense);
      }
      server.await();
    }

    @Override
    public void append(Load.Buffer to) {
      String key = "key" + ThreadLocalRandom.current().nextInt(keys);
      to.add(command("PFADD", key, "item" + next.getAndIncrement()));
    }
  };

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
