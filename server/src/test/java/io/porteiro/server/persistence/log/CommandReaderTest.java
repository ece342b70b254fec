package io.porteiro.server.persistence.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.porteiro.server.memory.MemoryPool;
import io.porteiro.server.memory.OffHeap;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandReaderTest {
  private static final String SET = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n";
  private static final String DEL = "*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n";

  @TempDir private Path directory;
  private final MemoryPool pool = new MemoryPool(Long.MAX_VALUE);

  /** Large blocks are given back on another thread. */
  @AfterEach
  void close() throws InterruptedException {
    for (int i = 0; i < 1000 && pool.usedBytes() > 0; i++) {
      Thread.sleep(5);
    }
    assertThat(pool.usedBytes()).isZero();
    pool.close();
  }

  /** What is read, each command as one text, and how it ends: END, or CUT and the offset. */
  private List<String> read(String content) throws IOException {
    Path path = directory.resolve("file");
    Files.writeString(path, content, StandardCharsets.ISO_8859_1);
    List<String> found = new ArrayList<>();
    try (FileChannel file = FileChannel.open(path);
        CommandReader reader = new CommandReader(file, pool)) {
      CommandReader.Found next = reader.next();
      while (next == CommandReader.Found.COMMAND) {
        found.add(text(reader));
        next = reader.next();
      }
      found.add(next == CommandReader.Found.CUT ? "CUT " + reader.offset() : "END");
    }
    return found;
  }

  private static String text(CommandReader reader) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < reader.count(); i++) {
      byte[] bytes = OffHeap.toArray(reader.address(i), reader.length(i));
      words.add(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    return String.join(" ", words);
  }

  @Test
  void next_commandsAndRemarks_readsTheCommands() throws IOException {
    assertThat(read("#TS:1\r\n" + SET + "#TS:2\r\n" + DEL))
        .containsExactly("SET k hello", "DEL k", "END");
  }

  /** A defect in one of the states would take the cut for damage, or read half a command. */
  @Test
  void next_cutAnywhere_tellsWhereTheLastWholeCommandEnds() throws IOException {
    String content = SET + "#TS:2\r\n" + DEL;
    int second = SET.length() + "#TS:2\r\n".length();
    for (int length = 1; length < content.length(); length++) {
      List<String> expected = new ArrayList<>();
      if (length >= SET.length()) {
        expected.add("SET k hello");
      }
      int start = length < SET.length() ? 0 : length < second ? SET.length() : second;
      expected.add(start == length ? "END" : "CUT " + start);
      assertThat(read(content.substring(0, length))).as("%d bytes", length).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'SET k v\r\n', 'expected'",
    "'*0\r\n', 'without arguments'",
    "'*x\r\n', 'number'",
    "'*01\r\n$1\r\nk\r\n', 'number'",
    "'*-1\r\n', 'number'",
    "'*1\n$1\r\nk\r\n', 'number'",
    "'*1\r\n+1\r\nk\r\n', 'expected'",
    "'*1\r\n$1\r\nkk\r\n', 'line end'",
    "'*1\r\n$3000000000\r\nk\r\n', 'bytes'",
    "'*1\r\n$1\r\nk\r\r', 'line end'"
  })
  void next_anythingElse_isDamage(String damage, String reason) {
    assertThatThrownBy(() -> read(SET + damage + SET))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining(reason)
        .satisfies(e ->
            assertThat(((LogFormatException) e).offset())
                .isBetween((long) SET.length(), (long) SET.length() + damage.length()));
  }

  @Test
  void next_argumentLargerThanTheWindow_isReadWhole() throws IOException {
    String value = "v".repeat(3_000_000);
    String large = "*2\r\n$1\r\nX\r\n$3000000\r\n" + value + "\r\n";
    assertThat(read(SET + large + DEL))
        .containsExactly("SET k hello", "X " + value, "DEL k", "END");
  }

  /** Memory for what is announced but not there would be the attacker's to choose. */
  @Test
  void next_lengthBeyondTheFile_takesNoMemory() throws IOException {
    assertThat(read(SET + "*1\r\n$2000000000\r\nk"))
        .containsExactly("SET k hello", "CUT " + SET.length());
  }

  @Test
  void hasCommandBehind_damagedLength_isToldFromACut() throws IOException {
    assertThat(commandBehind("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$500\r\nhello\r\n" + DEL)).isTrue();
    assertThat(commandBehind("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$500\r\nhello")).isFalse();
    assertThat(commandBehind("*2\r\n$3\r\nSET\r\n$500\r\n\r\n*3 is no command\r\n*1\r\n$9\r\nX"))
        .isFalse();
  }

  private boolean commandBehind(String cut) throws IOException {
    Path path = directory.resolve("cut");
    Files.writeString(path, SET + cut, StandardCharsets.ISO_8859_1);
    try (FileChannel file = FileChannel.open(path)) {
      return CutCheck.hasCommandBehind(file, SET.length(), pool);
    }
  }
}
