package io.porteiro.protocol;

import static io.porteiro.protocol.DecoderFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {
  private DecoderFixture fixture = new DecoderFixture();

  @AfterEach
  void nothingIsLeft() {
    fixture.close();
  }

  private void withMemory(long limit) {
    fixture.close();
    fixture = new DecoderFixture(limit);
  }

  @Test
  void multibulk_wholeRequest_isDecodedWithItsArguments() {
    assertThat(fixture.decode("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n"))
        .containsExactly("<SET><k><hello>");
  }

  @Test
  void multibulk_emptyArguments_areKept() {
    assertThat(fixture.decode(request("ECHO", "", ""))).containsExactly("<ECHO><><>");
  }

  @Test
  void multibulk_emptyAndNegativeCounts_areIgnored() {
    assertThat(fixture.decode("*0\r\n*-1\r\n*-2147483649\r\n" + request("PING")))
        .containsExactly("<PING>");
  }

  @Test
  void multibulk_bytesAfterLinesAndData_areNotLookedAt() {
    assertThat(fixture.decode("*1\rX$4\rXPINGxy*2\r\n$4\r\nECHO\r\n$2\r\nhiXX"))
        .containsExactly("<PING>", "<ECHO><hi>");
  }

  @Test
  void multibulk_lineEndsInsideData_areData() {
    assertThat(fixture.decode(request("ECHO", "\r\n\r\n"))).containsExactly("<ECHO><\r\n\r\n>");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 99, 100, 999, 1000, 9999, 16384, 65535, 65536, 65537, 300_000})
  void multibulk_argumentOfAnyLength_comesOutWhole(int length) {
    String argument = "x".repeat(length);
    assertThat(fixture.decode(request("ECHO", argument, "y")))
        .containsExactly("<ECHO><" + argument + "><y>");
  }

  @Test
  void multibulk_moreRequestsThanABatchHolds_comeInSeveralBatches() {
    fixture.feed(request("PING").repeat(150));
    List<Integer> sizes = new ArrayList<>();
    while (fixture.decoder.decode(fixture.batch)) {
      sizes.add(fixture.batch.size());
    }
    assertThat(sizes).containsExactly(64, 64, 22);
  }

  @Test
  void multibulk_largestCount_isOnlyWaitedFor() {
    assertThat(fixture.decode("*2147483647\r\n$4\r\nPING\r\n")).isEmpty();
    assertThat(fixture.directBytes()).isLessThan(10_000);
  }

  @Test
  void multibulk_largestLength_isOnlyWaitedFor() {
    assertThat(fixture.decode("*2\r\n$4\r\nECHO\r\n$536870912\r\nabc")).isEmpty();
    assertThat(fixture.memory.held()).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  void pipeline_byteByByte_givesTheSameRequests() {
    String pipeline =
        request("SET", "k", "hello")
            + "PING\r\n"
            + "ECHO \"a b\" 'c'\n"
            + "*0\r\n"
            + request("GET", "k");
    List<String> decoded = new ArrayList<>();
    for (int i = 0; i < pipeline.length(); i++) {
      decoded.addAll(fixture.decode(pipeline.substring(i, i + 1)));
    }
    assertThat(decoded).containsExactly("<SET><k><hello>", "<PING>", "<ECHO><a b><c>", "<GET><k>");
  }

  @Test
  void pipeline_cutAtEachPlace_givesTheSameRequests() {
    String pipeline =
        request("SET", "k", "0123456789")
            + "ECHO a\\ 'b c'\r\n"
            + request("BF.MADD", "b", "", "x\r\n");
    List<String> whole = fixture.decode(pipeline);
    for (int cut = 1; cut < pipeline.length(); cut++) {
      List<String> decoded = new ArrayList<>(fixture.decode(pipeline.substring(0, cut)));
      decoded.addAll(fixture.decode(pipeline.substring(cut)));
      assertThat(decoded).as("cut at %d", cut).isEqualTo(whole);
    }
  }

  /**
   * They are read in a loop of their own, as long as their heads are alike and the table has room.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 12, 99, 100, 123})
  void pipeline_runsOfEquallyLongArguments_cutAtEachPlace_giveTheSameRequests(int length) {
    String[] arguments = new String[80];
    for (int i = 0; i < arguments.length; i++) {
      String digits = Integer.toString(1000 + i).repeat(32);
      arguments[i] = i == 40 ? "other" : digits.substring(0, length);
    }
    String wanted = "<" + String.join("><", arguments) + ">";
    String pipeline = request(arguments) + request("GET", "k");
    int step = Math.max(1, pipeline.length() / 1000);
    for (int cut = 0; cut < pipeline.length(); cut += step) {
      List<String> decoded = new ArrayList<>(fixture.decode(pipeline.substring(0, cut)));
      decoded.addAll(fixture.decode(pipeline.substring(cut)));
      assertThat(decoded).as("cut at %d", cut).containsExactly(wanted, "<GET><k>");
    }
  }

  @Test
  void pipeline_requestsThatDifferInTheirLastArgument_areFoundToBeAlike() {
    String pipeline =
        request("BF.ADD", "k", "a")
            + request("BF.ADD", "k", "")
            + request("BF.ADD", "k", "0123456789")
            + request("BF.ADD", "j", "a")
            + request("BF.ADD", "j", "b".repeat(999))
            + request("BF.ADD", "j", "c".repeat(1000))
            + request("PFCOUNT", "a")
            + request("PFCOUNT", "b")
            + request("PING")
            + request("PING")
            + "BF.ADD j a\r\nBF.ADD j a\r\n"
            + request("x", "")
            + request("x", "");
    List<String> decoded = fixture.decode(pipeline);
    assertThat(decoded)
        .hasSize(14)
        .contains("<BF.ADD><k><>", "<BF.ADD><j><" + "c".repeat(1000) + ">", "<PFCOUNT><b>");
    assertThat(fixture.alike).as("not one with a long head, or near the end").isEqualTo(4);
  }

  /** The same in all places but one, cut anywhere; more than a batch and its table hold. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void pipeline_requestsThatAreNearlyAlike_giveTheSameRequests(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      StringBuilder pipeline = new StringBuilder();
      List<String> expected = new ArrayList<>();
      String[] words = nearlyAlike(random, new String[] {"command", "key", "item"});
      for (int i = 0; i < 150; i++) {
        words = random.nextInt(10) == 0 ? nearlyAlike(random, words) : words.clone();
        words[words.length - 1] = randomText(random, random.nextInt(30));
        pipeline.append(request(words));
        expected.add("<" + String.join("><", words) + ">");
      }
      assertThat(decodeInPieces(pipeline.toString(), random))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected);
    }
    assertThat(fixture.alike).isPositive();
  }

  /** One word has another character somewhere, or there are more or fewer words. */
  private static String[] nearlyAlike(Random random, String[] words) {
    String[] other = Arrays.copyOf(words, random.nextInt(4) == 0 ? 1 + random.nextInt(40) : 3);
    Arrays.setAll(other, i -> other[i] == null || other[i].isEmpty() ? "w" : other[i]);
    int at = random.nextInt(other.length);
    char[] word = other[at].toCharArray();
    word[random.nextInt(word.length)] = (char) ('a' + random.nextInt(26));
    other[at] = new String(word);
    return other;
  }

  @ParameterizedTest
  @CsvSource({"$12, $13", "$12, $1x", "$12, :12", "$2, $3", "$123, $124"})
  void pipeline_headThatDiffersInOneByteFromThoseBefore_isSeen(String head, String other) {
    int length = Integer.parseInt(head.substring(1));
    String argument = head + "\r\n" + "a".repeat(length) + "\r\n";
    String last = other + "\r\n" + "b".repeat(length + 1) + "\r\n";
    List<String> decoded = fixture.decode("*9\r\n" + argument.repeat(8) + last);
    String wanted = ("<" + "a".repeat(length) + ">").repeat(8) + "<" + "b".repeat(length + 1) + ">";
    if (other.startsWith("$") && !other.endsWith("x")) {
      assertThat(decoded).containsExactly(wanted);
    } else {
      assertThat(decoded).hasSize(1).first().asString().startsWith("!");
    }
  }

  /** Large and small arguments, thousands of them, cut anywhere: pieces, moves and tables grow. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void pipeline_randomRequestsCutAtRandom_giveTheSameRequests(long seed) {
    Random random = new Random(seed);
    StringBuilder pipeline = new StringBuilder();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String[] arguments = randomArguments(random);
      pipeline.append(request(arguments));
      expected.add("<" + String.join("><", arguments) + ">");
    }
    List<String> decoded = decodeInPieces(pipeline.toString(), random);
    assertThat(decoded.size())
        .as("requests with seed %d, last %s", seed, decoded.getLast())
        .isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(decoded.get(i).equals(expected.get(i)))
          .as("seed %d, request %d", seed, i)
          .isTrue();
    }
  }

  private static String[] randomArguments(Random random) {
    int count = random.nextInt(8) == 0 ? random.nextInt(5000) + 1 : random.nextInt(6) + 1;
    String[] arguments = new String[count];
    for (int i = 0; i < count; i++) {
      arguments[i] = randomText(random, randomLength(random, count));
    }
    return arguments;
  }

  private static int randomLength(Random random, int count) {
    return count < 10 && random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(30);
  }

  private static String randomText(Random random, int length) {
    char[] text = new char[length];
    for (int i = 0; i < length; i++) {
      text[i] = (char) random.nextInt(256);
    }
    return new String(text);
  }

  private List<String> decodeInPieces(String text, Random random) {
    List<String> decoded = new ArrayList<>();
    int most = 1 << random.nextInt(18);
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + 1 + random.nextInt(most));
      decoded.addAll(fixture.decode(text.substring(from, to)));
      from = to;
    }
    return decoded;
  }

  /** Whatever comes, in whatever pieces: the same result, bounded memory, no exception. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void fuzz_mutatedPipelines_decodeAlikeInAnyPieces(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      String mutated = mutate(seedPipeline(random), random);
      List<String> whole;
      try (DecoderFixture other = new DecoderFixture()) {
        whole = other.decode(mutated);
      }
      try (DecoderFixture other = new DecoderFixture()) {
        List<String> pieces = new ArrayList<>();
        for (String piece : mutated.splitWithDelimiters("(?<=[\\r$])", 0)) {
          pieces.addAll(other.decode(piece));
        }
        assertThat(pieces).as("seed %d, round %d: %s", seed, round, mutated).isEqualTo(whole);
        assertThat(other.directBytes()).isLessThan(1 << 20);
      }
    }
  }

  private static String seedPipeline(Random random) {
    StringBuilder pipeline = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      pipeline.append(
          random.nextInt(3) > 0 ? request("BF.ADD", "k", "item" + i) : "PFADD 'k' \"\\x41\" b\r\n");
    }
    return pipeline.toString();
  }

  private static String mutate(String text, Random random) {
    StringBuilder mutated = new StringBuilder(text);
    String interesting = "*$\r\n-0123456789\"'\\ \0:+\u00ff";
    for (int i = random.nextInt(6); i >= 0; i--) {
      int at = random.nextInt(mutated.length());
      char c = interesting.charAt(random.nextInt(interesting.length()));
      switch (random.nextInt(3)) {
        case 0 -> mutated.setCharAt(at, c);
        case 1 -> mutated.insert(at, c);
        default -> mutated.deleteCharAt(at);
      }
    }
    return mutated.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          *abc~          | invalid multibulk length
          *~             | invalid multibulk length
          *1 ~           | invalid multibulk length
          * 1~           | invalid multibulk length
          *+1~           | invalid multibulk length
          *01~           | invalid multibulk length
          *-0~           | invalid multibulk length
          *2147483648~   | invalid multibulk length
          *99999999999999999999~ | invalid multibulk length
          *1~+PING~      | expected '$', got '+'
          *1~PING~       | expected '$', got 'P'
          *1~:1~         | expected '$', got ':'
          *1~*1~$4~PING~ | expected '$', got '*'
          *1~~           | expected '$', got '^'
          *1~$abc~       | invalid bulk length
          *1~$~          | invalid bulk length
          *1~$-1~        | invalid bulk length
          *1~$04~PING~   | invalid bulk length
          *1~$+4~PING~   | invalid bulk length
          *1~$4 ~PING~   | invalid bulk length
          *1~$536870913~ | invalid bulk length
          *1~$9223372036854775807~  | invalid bulk length
          *1~$99999999999999999999~ | invalid bulk length
          *2~$3~GET~$-1~ | invalid bulk length
          *2~$3~GET~$1x~ | invalid bulk length
          ECHO "a        | unbalanced quotes in request
          ECHO "a"b      | unbalanced quotes in request
          ECHO 'a        | unbalanced quotes in request
          ECHO 'a'b      | unbalanced quotes in request
          ECHO "a\\"     | unbalanced quotes in request
          ECHO 'a\\'     | unbalanced quotes in request
          ECHO "         | unbalanced quotes in request
          """)
  void malformed_request_isTheErrorThatRedisAnswers(String request, String error) {
    String bytes = request.strip().replace("~", "\r\n") + (request.startsWith("*") ? "" : "\r\n");
    assertThat(fixture.decode(bytes)).containsExactly("!" + error.strip().replace('^', '\r'));
  }

  @Test
  void malformed_afterGoodRequests_comesAfterThem() {
    assertThat(fixture.decode(request("PING") + "PING\r\n*1\r\n!4\r\n" + request("PING")))
        .containsExactly("<PING>", "<PING>", "!expected '$', got '!'");
  }

  @Test
  void malformed_whateverFollows_isIgnored() {
    fixture.decode("*x\r\n");
    assertThat(fixture.decode(request("PING"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "*, too big mbulk count string",
    "'*1\r\n$', too big bulk count string",
    "1, too big inline request"
  })
  void line_longerThan64KiB_isRefused(String start, String error) {
    assertThat(fixture.decode(start + "1".repeat((64 << 10) - 1))).isEmpty();
    assertThat(fixture.decode("1")).containsExactly("!" + error);
  }

  @Test
  void inline_of64KiB_isTaken() {
    String word = "x".repeat((64 << 10) - 6);
    assertThat(fixture.decode("ECHO " + word + "\r\n")).containsExactly("<ECHO><" + word + ">");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ECHO hello                | <ECHO><hello>
          ECHO  a    b              | <ECHO><a><b>
          ECHO "hello world"        | <ECHO><hello world>
          ECHO 'hello world'        | <ECHO><hello world>
          ECHO "" ''                | <ECHO><><>
          ECHO a"b c" d             | <ECHO><ab c><d>
          ECHO a'b c' d             | <ECHO><ab c><d>
          ECHO "a\\x41\\\\\\"b"     | <ECHO><aA\\"b>
          ECHO "\\q\\xzz\\x4"       | <ECHO><qxzzx4>
          ECHO 'it\\'s \\n'         | <ECHO><it's \\n>
          ECHO "'" '"'              | <ECHO><'><">
          "ECHO" "a"                | <ECHO><a>
          """)
  void inline_line_isSplitAsRedisCliQuotes(String line, String arguments) {
    assertThat(fixture.decode(line.strip() + "\r\n")).containsExactly(arguments.strip());
  }

  @Test
  void inline_escapes_becomeTheirBytes() {
    assertThat(fixture.decode("ECHO \"\\n\\r\\t\\b\\a\\xff\\x00\"\n"))
        .containsExactly("<ECHO><\n\r\t\b\u0007\u00ff\0>");
  }

  @Test
  void inline_binaryAndZeroBytes_areOrdinary() {
    assertThat(fixture.decode("ECHO \u00ff\u0080\1 a\0b\r\n"))
        .containsExactly("<ECHO><\u00ff\u0080\1><a\0b>");
  }

  @Test
  void inline_blankLines_areSkipped() {
    assertThat(fixture.decode("\r\n\n   \r\n\t\u000b\f\nPING\n")).containsExactly("<PING>");
  }

  @Test
  void inline_linesWithQuotes_doNotDisturbEachOther() {
    assertThat(fixture.decode("ECHO 'a'\r\nECHO 'bb'\r\n" + request("PING") + "ECHO \"c\"\r\n"))
        .containsExactly("<ECHO><a>", "<ECHO><bb>", "<PING>", "<ECHO><c>");
  }

  @Test
  void unauthenticated_requests_areDecodedOneAtATime() {
    fixture.decoder.setAuthenticated(false);
    fixture.feed(request("AUTH", "x") + request("PING"));
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    assertThat(fixture.batch.size()).isEqualTo(1);
    fixture.decoder.setAuthenticated(true);
    assertThat(fixture.decode()).containsExactly("<PING>");
  }

  @Test
  void unauthenticated_moreThan10Arguments_areRefused() {
    fixture.decoder.setAuthenticated(false);
    assertThat(fixture.decode(request("MGET", "1", "2", "3", "4", "5", "6", "7", "8", "9")))
        .hasSize(1);
    assertThat(fixture.decode("*11\r\n")).containsExactly("!unauthenticated multibulk length");
  }

  @Test
  void unauthenticated_manyDigitCount_isRefused() {
    fixture.decoder.setAuthenticated(false);
    assertThat(fixture.decode("*1000000\r\n")).containsExactly("!unauthenticated multibulk length");
  }

  @Test
  void unauthenticated_argumentsOver16KiB_areRefused() {
    fixture.decoder.setAuthenticated(false);
    assertThat(fixture.decode(request("AUTH", "x".repeat(16384)))).hasSize(1);
    assertThat(fixture.decode("*2\r\n$4\r\nAUTH\r\n$16385\r\n"))
        .containsExactly("!unauthenticated bulk length");
  }

  @Test
  void protoMaxBulkLen_isAskedEachTime() {
    fixture.protoMaxBulkLen = 1 << 20;
    assertThat(fixture.decode("*1\r\n$1048577\r\n")).containsExactly("!invalid bulk length");
  }

  @Test
  void heapBuffers_asTlsReadsThem_areDecoded() {
    fixture.decoder.feed(
        Unpooled.wrappedBuffer(DecoderFixture.bytes("*2\r\n$4\r\nECHO\r\n$2\r\nh")));
    assertThat(fixture.decode()).isEmpty();
    fixture.decoder.feed(Unpooled.wrappedBuffer(DecoderFixture.bytes("i\r\n")));
    assertThat(fixture.decode()).containsExactly("<ECHO><hi>");
  }

  @Test
  void large_argument_isAloneInItsBatch() {
    fixture.feed(request("PING") + request("ECHO", "x".repeat(70_000)) + request("PING"));
    List<Integer> counts = new ArrayList<>();
    while (fixture.decoder.decode(fixture.batch)) {
      assertThat(fixture.batch.size()).isEqualTo(1);
      counts.add(fixture.batch.get(0).count());
    }
    assertThat(counts).containsExactly(1, 2, 1);
  }

  @Test
  void large_argument_canBeTaken() {
    fixture.feed(request("SET", "k", "x".repeat(100_000)));
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    Request request = fixture.batch.get(0);
    assertThat(request.isTakeable(1)).isFalse();
    assertThat(request.isTakeable(2)).isTrue();
    BulkMemory taken = request.take(2);
    assertThat(request.length(2)).isZero();
    assertThatThrownBy(() -> request.take(2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> request.take(1)).isInstanceOf(IllegalStateException.class);
    assertThat(fixture.decoder.decode(fixture.batch)).isFalse();
    assertThat(fixture.memory.held()).isEqualTo(taken.capacity()).isGreaterThanOrEqualTo(100_000);
    assertThat(NativeBytes.getByte(taken.address() + 99_999)).isEqualTo((byte) 'x');
    taken.release();
  }

  @Test
  void large_argumentInManyReads_growsByWhatCame() {
    int length = 20 << 20;
    fixture.decode("*2\r\n$4\r\nECHO\r\n$" + length + "\r\n");
    byte[] part = new byte[50_000];
    Arrays.fill(part, (byte) 'y');
    int sent = 0;
    for (; sent + part.length <= length; sent += part.length) {
      fixture.feed(part);
      assertThat(fixture.decode()).isEmpty();
      assertThat(fixture.memory.held())
          .isLessThanOrEqualTo(Math.max(128 << 10, 2L * (sent + part.length)));
      assertThat(fixture.directBytes()).isLessThan(4096);
    }
    String rest = "y".repeat(length - sent);
    assertThat(fixture.decode(rest + "\r\n").getFirst()).hasSize(length + "<ECHO><>".length());
    assertThat(fixture.memory.mostHeld()).isLessThanOrEqualTo(length);
  }

  @Test
  void large_memoryRefused_dropsTheBytesAndSaysSo() {
    withMemory(100_000);
    fixture.feed(request("SET", "k", "x".repeat(500_000), "y".repeat(90_000)) + request("PING"));
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    Request refused = fixture.batch.get(0);
    assertThat(refused.lacksMemory()).isTrue();
    assertThat(refused.count()).isEqualTo(4);
    assertThat(refused.length(2)).isZero();
    assertThat(refused.isTakeable(2)).isFalse();
    assertThat(fixture.decode()).containsExactly("<PING>");
  }

  @Test
  void large_memoryRefusedWhileGrowing_dropsWhatItHad() {
    withMemory(150_000);
    fixture.decode("*2\r\n$4\r\nECHO\r\n$500000\r\n" + "x".repeat(100_000));
    assertThat(fixture.memory.held()).isPositive();
    assertThat(fixture.decode("x".repeat(100_000))).isEmpty();
    assertThat(fixture.memory.held()).isZero();
    fixture.feed("x".repeat(300_000) + "\r\n");
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    assertThat(fixture.batch.get(0).lacksMemory()).isTrue();
  }

  @Test
  void queryBufferLimit_unfinishedRequestBeyondIt_endsTheConnectionSilently() {
    fixture.queryBufferLimit = 1 << 20;
    String argument = "$10\r\n0123456789\r\n";
    assertThat(fixture.decode("*1000000\r\n" + argument)).isEmpty();
    List<String> decoded = new ArrayList<>();
    for (int i = 0; i < 60 && decoded.isEmpty(); i++) {
      decoded.addAll(fixture.decode(argument.repeat(1000)));
    }
    assertThat(decoded).hasSize(1).first().asString().startsWith("silent !");
  }

  @Test
  void queryBufferLimit_largeArgumentsBeyondIt_endTheConnection() {
    fixture.queryBufferLimit = 1 << 20;
    String large = "$200000\r\n" + "x".repeat(200_000) + "\r\n";
    List<String> decoded = new ArrayList<>(fixture.decode("*100\r\n"));
    for (int i = 0; i < 10 && decoded.isEmpty(); i++) {
      decoded.addAll(fixture.decode(large));
    }
    assertThat(decoded).hasSize(1);
  }

  @Test
  void manyArguments_inManyReads_areNeverCopiedTogether() {
    int count = 200_000;
    StringBuilder text = new StringBuilder("*" + count + "\r\n");
    for (int i = 0; i < count; i++) {
      String argument = Integer.toString(i);
      text.append('$').append(argument.length()).append("\r\n").append(argument).append("\r\n");
    }
    Random random = new Random(5);
    for (int from = 0; from < text.length(); ) {
      int to = Math.min(text.length(), from + 1 + random.nextInt(100_000));
      fixture.feed(text.substring(from, to));
      if (to < text.length()) {
        assertThat(fixture.decoder.decode(fixture.batch)).isFalse();
      }
      from = to;
    }
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    Request request = fixture.batch.get(0);
    assertThat(request.count()).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(request.text(i)).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void rewind_freshRequests_areDecodedAgain() {
    fixture.feed(request("A") + "B 'x y'\r\n");
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    fixture.decoder.rewind(fixture.batch, 1);
    assertThat(fixture.decode()).containsExactly("<B><x y>");
  }

  @Test
  void rewind_withAnUnfinishedRequestBehind_losesNothing() {
    fixture.feed(request("A") + request("B") + "*2\r\n$1\r\nC\r\n$3\r\nab");
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    fixture.decoder.rewind(fixture.batch, 0);
    assertThat(fixture.decode("c\r\n")).containsExactly("<A>", "<B>", "<C><abc>");
  }

  @Test
  void rewind_largeRequest_isGivenOutAgain() {
    fixture.feed(request("SET", "k", "x".repeat(70_000)));
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    fixture.decoder.rewind(fixture.batch, 0);
    assertThat(fixture.decode(request("PING")))
        .containsExactly("<SET><k><" + "x".repeat(70_000) + ">", "<PING>");
  }

  @Test
  void rewind_requestThatCameInTwoReads_isGivenOutAgainEvenIfMoreIsRead() {
    fixture.decode("*2\r\n$4\r\nECHO\r\n$2");
    fixture.feed("\r\nhi\r\n");
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    fixture.decoder.rewind(fixture.batch, 0);
    fixture.feed(request("PING").repeat(1000));
    assertThat(fixture.decode()).hasSize(1001).first().isEqualTo("<ECHO><hi>");
  }

  @Test
  void rewind_beforeAProtocolError_findsTheErrorAgain() {
    fixture.feed(request("A") + request("B") + "*x\r\n");
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    assertThat(fixture.batch.error()).isNotNull();
    fixture.decoder.rewind(fixture.batch, 1);
    assertThat(fixture.decode()).containsExactly("<B>", "!invalid multibulk length");
  }

  @Test
  void rewind_behindTheLastRequest_changesNothing() {
    fixture.feed(request("A"));
    assertThat(fixture.decoder.decode(fixture.batch)).isTrue();
    fixture.decoder.rewind(fixture.batch, 1);
    assertThat(fixture.decode()).isEmpty();
  }

  @Test
  void idle_decoder_holdsNothing() {
    fixture.decode(request("ECHO", "x".repeat(70_000)) + request("PING").repeat(100) + "PI");
    assertThat(fixture.decoder.heldBytes()).isBetween(2L, 256L);
    fixture.decode("NG\r\n");
    assertThat(fixture.decoder.heldBytes()).isZero();
  }
}
