import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table in Markdown whose columns are aligned for reading as text, too. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(headings);
  }

  void add(String... cells) {
    rows.add(cells);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  void print() {
    int[] widths = new int[rows.getFirst().length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    print(rows.getFirst(), widths);
    print(Arrays.stream(widths).mapToObj("-"::repeat).toArray(String[]::new), widths);
    rows.stream().skip(1).forEach(row -> print(row, widths));
    System.out.println();
  }

  private static void print(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < row.length; i++) {
      line.append(' ').append(row[i]).repeat(' ', widths[i] - row[i].length()).append(" |");
    }
    System.out.println(line);
  }
}
