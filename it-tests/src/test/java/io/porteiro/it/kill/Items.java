package io.porteiro.it.kill;

import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Many items in commands of bounded length. */
final class Items {
  private static final int MAX_PART = 1000;

  private Items() {}

  static List<List<String>> parts(List<String> items) {
    return IntStream.range(0, (items.size() + MAX_PART - 1) / MAX_PART)
        .mapToObj(
            part -> items.subList(part * MAX_PART, Math.min(items.size(), (part + 1) * MAX_PART)))
        .toList();
  }

  static String[] command(String name, String key, List<String> items) {
    return Stream.concat(Stream.of(name, key), items.stream()).toArray(String[]::new);
  }

  /** The items that a filter denies. */
  static List<String> absent(RawConnection connection, String key, List<String> items) {
    List<String> absent = new ArrayList<>();
    for (List<String> some : parts(items)) {
      List<Reply> replies = connection.call(command("BF.MEXISTS", key, some)).asList();
      IntStream.range(0, some.size())
          .filter(i -> !replies.get(i).equals(new Reply.Int(1)))
          .forEach(i -> absent.add(some.get(i)));
    }
    return absent;
  }
}
