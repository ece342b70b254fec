package io.porteiro.it.resp;

import io.porteiro.it.resp.Reply.Aggregate.Kind;
import io.porteiro.it.resp.Reply.Special;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads replies of both protocol versions off a connection, waiting for what is missing. */
final class ReplyParser {
  private static final int SHOWN_BYTES = 80;

  private final RawConnection connection;
  private long deadlineNanos;
  private int position; // relative to the first unread byte

  ReplyParser(RawConnection connection) {
    this.connection = connection;
  }

  /** One whole reply, which then counts as read. */
  Reply read(long deadline) throws NoReply {
    deadlineNanos = deadline;
    position = 0;
    Reply reply = value();
    connection.skip(position);
    return reply;
  }

  private Reply value() throws NoReply {
    String line = line();
    String rest = line.isEmpty() ? "" : line.substring(1);
    return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
      case '+' -> new Reply.Simple(rest);
      case '-' -> new Reply.Failure(rest);
      case ':' -> new Reply.Int(Long.parseLong(rest));
      case '$' -> rest.startsWith("-") ? Special.NULL_BULK : new Reply.Bulk(payload(rest));
      case '*' -> rest.startsWith("-") ? Special.NULL_ARRAY : aggregate(Kind.ARRAY, rest);
      case '~' -> aggregate(Kind.SET, rest);
      case '>' -> aggregate(Kind.PUSH, rest);
      case '%' -> mapping(false, rest);
      case '|' -> mapping(true, rest);
      case '_' -> Special.NULL;
      case '#' -> new Reply.Bool(rest.equals("t"));
      case ',' -> new Reply.Dbl(rest);
      case '(' -> new Reply.BigNumber(new BigInteger(rest));
      case '!' -> new Reply.BulkFailure(payload(rest));
      case '=' -> verbatim(payload(rest));
      default -> throw new IllegalStateException("not a reply: " + shown(line));
    };
  }

  private Reply aggregate(Kind kind, String count) throws NoReply {
    int elements = Integer.parseInt(count);
    List<Reply> list = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      list.add(value());
    }
    return new Reply.Aggregate(kind, list);
  }

  private Reply mapping(boolean attribute, String count) throws NoReply {
    int pairs = Integer.parseInt(count);
    List<Map.Entry<Reply, Reply>> entries = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      entries.add(Map.entry(value(), value()));
    }
    return new Reply.Mapping(attribute, entries);
  }

  private static Reply verbatim(String payload) {
    return new Reply.Verbatim(payload.substring(0, 3), payload.substring(4));
  }

  private String payload(String length) throws NoReply {
    int count = Integer.parseInt(length);
    need(position + count + 2);
    String bytes = connection.slice(position, position + count);
    String terminator = connection.slice(position + count, position + count + 2);
    if (!terminator.equals("\r\n")) {
      throw new IllegalStateException("a bulk of " + count + " bytes does not end in CR LF");
    }
    position += count + 2;
    return bytes;
  }

  private String line() throws NoReply {
    int scan = position;
    while (true) {
      need(scan + 2);
      if (connection.at(scan) == '\r' && connection.at(scan + 1) == '\n') {
        String line = connection.slice(position, scan);
        position = scan + 2;
        return line;
      }
      scan++;
    }
  }

  private void need(int bytes) throws NoReply {
    while (connection.available() < bytes) {
      long left = deadlineNanos - System.nanoTime();
      if (!connection.fill(Duration.ofNanos(Math.max(0, left)))) {
        giveUp(left);
      }
    }
  }

  private void giveUp(long nanosLeft) throws NoReply {
    if (connection.closedByPeer()) {
      throw new NoReply(Special.CLOSED);
    }
    if (nanosLeft <= 0) {
      throw new NoReply(Special.TIMEOUT);
    }
  }

  private static String shown(String line) {
    return line.substring(0, Math.min(line.length(), SHOWN_BYTES));
  }

  /** No (whole) reply came. */
  static final class NoReply extends Exception {
    private static final long serialVersionUID = 1;

    final Special outcome;

    NoReply(Special outcome) {
      super(outcome.name(), null, false, false);
      this.outcome = outcome;
    }
  }
}
