package io.porteiro.server.command.keyspace;

import static io.porteiro.server.command.ManualClock.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.config.ConfigException;
import io.porteiro.server.memory.Block;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DumpCommandsTest {
  private final KeyspaceServer server = new KeyspaceServer();

  DumpCommandsTest() throws ConfigException {}

  @AfterEach
  void close() {
    server.close();
  }

  /** The payload of a string, made without the command. */
  private byte[] payload(String text) {
    StringValue value =
        StringValue.copyOf(server.harness.pool(), text.getBytes(StandardCharsets.ISO_8859_1));
    try (DumpPayload payload = DumpPayload.of(value, server.harness.pool(), true)) {
      return OffHeap.toArray(payload.address(), (int) payload.length());
    } finally {
      value.release();
    }
  }

  /** A bulk reply's bytes, back from the text that the harness makes of them. */
  private static byte[] bytesOf(String reply) {
    StringBuilder latin = new StringBuilder();
    for (int i = 1; i < reply.length() - 1; i++) {
      char c = reply.charAt(i);
      if (c != '\\') {
        latin.append(c);
        continue;
      }
      char escaped = reply.charAt(++i);
      switch (escaped) {
        case 'r' -> latin.append('\r');
        case 'n' -> latin.append('\n');
        case 'x' -> {
          latin.append((char) Integer.parseInt(reply.substring(i + 1, i + 3), 16));
          i += 2;
        }
        default -> latin.append(escaped);
      }
    }
    return latin.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void dump_ofString_isItsPayload() {
    server.call("SET", "k", "hello");
    assertThat(server.call("DUMP", "k")).startsWith("\"\\x00\\x05hello\\x09\\x00");
    assertThat(bytesOf(server.call("DUMP", "k"))).isEqualTo(payload("hello"));
  }

  @Test
  void dump_ofMissingKey_isNull() {
    assertThat(server.call("DUMP", "missing")).isEqualTo("nil");
  }

  @Test
  void dump_obeysRdbcompression() throws ConfigException {
    server.call("SET", "k", "x".repeat(1000));
    int packed = bytesOf(server.call("DUMP", "k")).length;
    server.harness.configure("rdbcompression", "no");
    int plain = bytesOf(server.call("DUMP", "k")).length;
    assertThat(packed).isLessThan(100);
    assertThat(plain).isGreaterThan(1000);
  }

  @Test
  void filter_dumpedAndRestored_hasTheSameItems() {
    server.call("BF.RESERVE", "b", "0.01", "2");
    server.call("BF.MADD", "b", "p", "q", "r", "s", "t");
    byte[] payload = bytesOf(server.call("DUMP", "b"));
    assertThat(server.call("RESTORE", "c", "0", payload)).isEqualTo("+OK");
    assertThat(server.call("BF.MEXISTS", "c", "p", "q", "r", "s", "t", "u"))
        .isEqualTo("[:1 :1 :1 :1 :1 :0]");
    assertThat(bytesOf(server.call("DUMP", "c"))).isEqualTo(payload);
  }

  @Test
  void restore_isJournaledWithAbsoluteTime() {
    byte[] payload = payload("v");
    server.publishEvents();
    assertThat(server.call("RESTORE", "k", "5000", payload)).isEqualTo("+OK");
    assertThat(server.call("PTTL", "k")).isEqualTo(":5000");
    assertThat(server.harness.effects())
        .singleElement()
        .asString()
        .startsWith("0: RESTORE k " + (START_MS + 5000) + " ")
        .endsWith(" REPLACE ABSTTL");
    assertThat(server.keyEvents()).startsWith("0 new k", "0 restore k");
  }

  @Test
  void restore_withoutTime_neverExpires() {
    server.call("SET", "k", "old");
    server.call("EXPIRE", "k", "100");
    server.harness.effects();
    assertThat(server.call("RESTORE", "k", "0", payload("v"), "REPLACE")).isEqualTo("+OK");
    assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
    assertThat(server.call("TTL", "k")).isEqualTo(":-1");
    assertThat(server.harness.effects()).singleElement().asString().startsWith("0: RESTORE k 0 ");
  }

  @Test
  void restore_withPastAbsoluteTime_storesNothing() {
    assertThat(server.call("RESTORE", "k", "1000", payload("v"), "ABSTTL")).isEqualTo("+OK");
    assertThat(server.call("EXISTS", "k")).isEqualTo(":0");
    assertThat(server.harness.effects()).isEmpty();
  }

  @Test
  void restore_withPastAbsoluteTimeOverAnother_deletesIt() {
    server.call("SET", "k", "old");
    server.publishEvents();
    assertThat(server.call("RESTORE", "k", "1000", payload("v"), "ABSTTL", "REPLACE"))
        .isEqualTo("+OK");
    assertThat(server.call("EXISTS", "k")).isEqualTo(":0");
    assertThat(server.harness.effects()).containsExactly("0: DEL k");
    assertThat(server.keyEvents()).startsWith("0 del k");
  }

  @Test
  void restore_withPastAbsoluteTimeWhileLoading_keepsTheKey() {
    server.harness.keyspace().setExpiring(false);
    assertThat(server.call("RESTORE", "k", "1000", payload("v"), "ABSTTL")).isEqualTo("+OK");
    assertThat(server.call("PEXPIRETIME", "k")).isEqualTo(":1000");
  }

  /** Redis complains of the key first, then of the time, then of the payload. */
  @Test
  void restore_complainsInRedisOrder() {
    server.call("SET", "k", "v");
    String busy = "-BUSYKEY Target key name already exists.";
    String badPayload = "-ERR DUMP payload version or checksum are wrong";
    assertThat(server.call("RESTORE", "k", "abc", "abc", "FOO")).isEqualTo("-ERR syntax error");
    assertThat(server.call("RESTORE", "k", "abc", "abc")).isEqualTo(busy);
    assertThat(server.call("RESTORE", "k", "0", payload("w"))).isEqualTo(busy);
    assertThat(server.call("RESTORE", "new", "abc", "abc"))
        .isEqualTo("-ERR value is not an integer or out of range");
    assertThat(server.call("RESTORE", "new", "-1", "abc"))
        .isEqualTo("-ERR Invalid TTL value, must be >= 0");
    assertThat(server.call("RESTORE", "new", Long.MAX_VALUE, payload("w")))
        .isEqualTo("-ERR invalid expire time in 'restore' command");
    assertThat(server.call("RESTORE", "new", "0", "abc")).isEqualTo(badPayload);
    assertThat(server.call("RESTORE", "k", "0", "abc", "REPLACE")).isEqualTo(badPayload);
    assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "IDLETIME|-ERR syntax error",
        "FREQ|-ERR syntax error",
        "IDLETIME abc|-ERR value is not an integer or out of range",
        "IDLETIME -1|-ERR Invalid IDLETIME value, must be >= 0",
        "FREQ 256|-ERR Invalid FREQ value, must be >= 0 and <= 255",
        "FREQ -1|-ERR Invalid FREQ value, must be >= 0 and <= 255",
        "IDLETIME 5 FREQ 5|-ERR syntax error",
        "FREQ 5 IDLETIME 5|-ERR syntax error",
        "REPLACE FOO|-ERR syntax error",
      })
  void restore_withWrongOptions_isRefused(String options, String error) {
    assertThat(server.client.batch("RESTORE k 0 payload " + options)).containsExactly(error);
  }

  @Test
  void restore_withIdletime_ageTheKey() {
    server.call("RESTORE", "k", "0", payload("v"), "idletime", "1000");
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":1000");
    server.call("RESTORE", "k", "0", payload("v"), "REPLACE", "IDLETIME", Long.MAX_VALUE);
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":2147483647");
    server.call("RESTORE", "k", "0", payload("v"), "REPLACE", "FREQ", "255");
    assertThat(server.call("OBJECT", "IDLETIME", "k")).isEqualTo(":0");
  }

  @Test
  void restore_thatIsRefused_keepsNoMemory() {
    server.call("SET", "k", "v");
    byte[] payload = payload("y".repeat(5000) + "z");
    byte[] damaged = payload.clone();
    damaged[10] ^= 1;
    long before = server.harness.pool().usedBytes();
    server.call("RESTORE", "k", "0", payload);
    server.call("RESTORE", "k", "1", payload, "ABSTTL");
    server.call("RESTORE", "new", "1", payload, "ABSTTL");
    server.call("RESTORE", "new", "0", damaged);
    assertThat(server.harness.pool().usedBytes()).isEqualTo(before);
  }

  @Test
  void restore_whereMemoryIsShort_isRefusedAndChangesNothing() {
    byte[] payload = payload("y".repeat(50_000));
    server.call("SET", "k", "v");
    server.harness.pool().setLimitBytes(server.harness.pool().usedBytes() + 60_000);
    Block ballast = server.harness.pool().allocate(55_000);
    assertThat(server.call("RESTORE", "new", "0", payload)).startsWith("-OOM");
    assertThat(server.call("RESTORE", "k", "0", payload)).startsWith("-BUSYKEY");
    assertThat(server.call("RESTORE", "k", "0", payload, "REPLACE")).startsWith("-OOM");
    ballast.release();
    assertThat(server.call("RESTORE", "new", "0", payload)).isEqualTo("+OK");
    assertThat(server.call("GET", "k")).isEqualTo("\"v\"");
  }

  /** A payload of random bytes, or with bytes flipped, is an error and leaves no key. */
  @Test
  void restore_ofDamagedPayloads_isRefused() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    server.call("BF.RESERVE", "b", "0.01", "10");
    byte[] good = bytesOf(server.call("DUMP", "b"));
    for (int i = 0; i < 2000; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(server.call("RESTORE", "k", "0", bad))
          .as("seed %d, round %d", seed, i)
          .isEqualTo("-ERR DUMP payload version or checksum are wrong");
    }
    assertThat(server.call("EXISTS", "k")).isEqualTo(":0");
  }
}
