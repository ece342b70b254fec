package io.porteiro.it.conformance;

import io.porteiro.it.resp.RawConnection;
import io.porteiro.it.resp.Reply;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code gen> CMD ARG... TEMPLATE FROM COUNT [per N]}: sends the command with the template filled
 * in for each number, N items a command, pipelined, and adds up the integers that come back.
 */
final class Generator {
  private static final int COMMANDS_A_PIPELINE = 50;
  private static final int ITEMS_A_COMMAND = 100;

  private final RawConnection connection;
  private final List<String> head;
  private final String template;
  private final int itemsPerCommand;
  private final long end;
  private long next;

  Generator(RawConnection connection, List<String> words) {
    this.connection = connection;
    int count = words.size();
    boolean per = count > 2 && words.get(count - 2).equals("per");
    itemsPerCommand = per ? Integer.parseInt(words.get(count - 1)) : ITEMS_A_COMMAND;
    List<String> rest = per ? words.subList(0, count - 2) : words;
    head = rest.subList(0, rest.size() - 3);
    template = rest.get(rest.size() - 3);
    next = Long.parseLong(rest.get(rest.size() - 2));
    end = next + Long.parseLong(rest.getLast());
  }

  /** The sum, or the first reply that is an error or none. */
  Reply run() {
    long sum = 0;
    while (next < end) {
      for (int pending = sendPipeline(); pending > 0; pending--) {
        Reply reply = sumOf(connection.read());
        if (!(reply instanceof Reply.Int(long part))) {
          return reply;
        }
        sum += part;
      }
    }
    return new Reply.Int(sum);
  }

  private int sendPipeline() {
    StringBuilder requests = new StringBuilder();
    int commands = 0;
    for (; next < end && commands < COMMANDS_A_PIPELINE; commands++) {
      requests.append(command());
    }
    connection.sendBytes(requests.toString());
    return commands;
  }

  private String command() {
    ArrayList<String> arguments = new ArrayList<>(head);
    for (int i = 0; i < itemsPerCommand && next < end; i++) {
      arguments.add(template.replace("%d", Long.toString(next++)));
    }
    return RawConnection.encode(arguments.toArray(String[]::new));
  }

  private static Reply sumOf(Reply reply) {
    return switch (reply) {
      case Reply.Aggregate(var _, List<Reply> elements) -> sumOf(elements);
      case Reply.Int _ -> reply;
      case Reply.Bool bool -> new Reply.Int(bool.asLong());
      case Reply.Failure _, Reply.Special _ -> reply;
      default -> new Reply.Int(0);
    };
  }

  private static Reply sumOf(List<Reply> elements) {
    long sum = 0;
    for (Reply element : elements) {
      switch (element) {
        case Reply.Int _, Reply.Bool _ -> sum += element.asLong();
        case Reply.Failure _ -> {
          return element;
        }
        default -> {}
      }
    }
    return new Reply.Int(sum);
  }
}
