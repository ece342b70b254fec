package io.porteiro.server;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Commands as the benchmarks of decoder and dispatcher send them, alone and in rows. */
public final class CommandLines {
  /** Commands that come in one read where they are pipelined; as in the load benchmark. */
  public static final int PIPELINED = 16;

  private static final int BATCH_ITEMS = 100;

  private CommandLines() {}

  /** So many of the same command; the items differ. */
  public static String row(String command, int count) {
    return Inputs.requests(
        IntStream.range(0, count).mapToObj(i -> words(command, i)).toArray(String[][]::new));
  }

  private static String[] words(String command, int index) {
    return switch (command) {
      case "PING" -> new String[] {command};
      case "GET" -> new String[] {command, "string"};
      case "PFCOUNT" -> new String[] {command, "counter"};
      case "PFADD" -> new String[] {command, "counter", Inputs.item(index)};
      case "BF.ADD", "BF.EXISTS" -> new String[] {command, "filter", Inputs.item(index)};
      case "BF.MADD", "BF.MEXISTS" -> batch(command, index);
      default -> throw new IllegalArgumentException(command);
    };
  }

  private static String[] batch(String command, int index) {
    long from = (long) index * BATCH_ITEMS;
    Stream<String> items = LongStream.range(from, from + BATCH_ITEMS).mapToObj(Inputs::item);
    return Stream.concat(Stream.of(command, "filter"), items).toArray(String[]::new);
  }
}
