package io.porteiro.server.command;

import io.netty.buffer.ByteBuf;
import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.protocol.RequestDecoder;
import io.porteiro.protocol.RequestLimits;
import io.porteiro.server.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A connection to a {@link CommandHarness}. What it sends is executed on the calling thread before
 * the call returns; replies are text as {@link ReplyText} has it.
 */
public final class HarnessClient implements AutoCloseable {
  private static final long PATIENCE_MS = 5_000;

  private final CommandHarness.Loop loop;
  private final Session session;
  private final ReplyWriter reply = new ReplyWriter(CommandHarness.ALLOCATOR);
  private final RequestDecoder decoder;
  private final BlockingQueue<Runnable> mailbox = new LinkedBlockingQueue<>();
  private final List<String> unread = new ArrayList<>();
  private Runnable onClose = () -> {};
  private boolean held;
  private boolean closed;

  HarnessClient(Services services, CommandHarness.Loop loop, long id) {
    this.loop = loop;
    this.decoder =
        new RequestDecoder(
            new Limits(services.config()),
            CommandHarness.ALLOCATOR,
            ArgumentMemory.from(services.keyspace().pool()));
    this.session =
        new Session(
            id,
            services.clock().millis(),
            new HarnessPeer(),
            reply,
            services.users().defaultUser());
    reply.setErrorListener(loop.dispatcher()::errorReplied);
  }

  void onClose(Runnable action) {
    onClose = action;
  }

  public Session session() {
    return session;
  }

  /** Switches to RESP3, without HELLO. */
  public HarnessClient resp3() {
    reply.setProtocol(3);
    return this;
  }

  /**
   * Sends one command and returns its reply, the first value that it answers. Further values stay
   * {@link #unread}.
   *
   * @param words texts (one byte a char), byte arrays, or whatever has the right toString
   */
  public String call(Object... words) {
    pump();
    int before = unread.size();
    feed(encoded(words));
    awaitReply(before);
    return unread.remove(before);
  }

  /** Sends commands, each a line of words with single blanks between, all read at once. */
  public List<String> batch(String... lines) {
    ByteBuf all = CommandHarness.ALLOCATOR.directBuffer();
    for (String line : lines) {
      write(all, (Object[]) line.split(" ", -1));
    }
    feed(all);
    return unread();
  }

  /** Sends one command and does not look at the reply. */
  public void send(Object... words) {
    feed(encoded(words));
  }

  /** Sends bytes as they are. */
  public List<String> sendRaw(String latin) {
    feed(CommandHarness.ALLOCATOR.directBuffer().writeBytes(bytes(latin)));
    return unread();
  }

  /** All that was answered or pushed and not yet returned. */
  public List<String> unread() {
    pump();
    List<String> values = List.copyOf(unread);
    unread.clear();
    return values;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Whether it waits for the end of a pause. */
  public boolean isHeld() {
    return held;
  }

  /** The end of a pause, from any thread. */
  void resume() {
    mailbox.add(() -> {
      held = false;
      run();
    });
  }

  private static ByteBuf encoded(Object... words) {
    ByteBuf bytes = CommandHarness.ALLOCATOR.directBuffer();
    write(bytes, words);
    return bytes;
  }

  private static void write(ByteBuf out, Object... words) {
    out.writeBytes(bytes("*" + words.length + "\r\n"));
    for (Object word : words) {
      byte[] argument = word instanceof byte[] array ? array : bytes(String.valueOf(word));
      out.writeBytes(bytes("$" + argument.length + "\r\n"));
      out.writeBytes(argument).writeBytes(bytes("\r\n"));
    }
  }

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void feed(ByteBuf bytes) {
    if (closed) {
      bytes.release();
      throw new AssertionError("the connection is closed");
    }
    decoder.feed(bytes);
    run();
    pump();
  }

  /** Executes what was sent, as far as it may. */
  private void run() {
    RequestBatch batch = loop.batch();
    while (mayExecute() && decoder.decode(batch)) {
      int executed = loop.dispatcher().dispatch(session, batch);
      if (executed < batch.size()) {
        held = mayExecute();
        decoder.rewind(batch, executed);
      } else if (batch.error() != null) {
        reply.error(batch.error().reply());
        session.setClosing();
      }
    }
    read();
    if (session.isClosing()) {
      close();
    }
  }

  private boolean mayExecute() {
    return !held && !closed && !session.isWaiting() && !session.isClosing();
  }

  private void read() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    reply.drain(piece -> {
      byte[] copy = new byte[piece.readableBytes()];
      piece.readBytes(copy);
      bytes.writeBytes(copy);
      piece.release();
    });
    unread.addAll(ReplyText.parse(bytes.toByteArray()));
  }

  private void pump() {
    for (Runnable task = mailbox.poll(); task != null; task = mailbox.poll()) {
      task.run();
    }
  }

  private void awaitReply(int before) {
    try {
      while (unread.size() <= before) {
        Runnable task = mailbox.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
        if (task == null) {
          throw new AssertionError(held ? "held by a pause" : "no reply");
        }
        task.run();
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      loop.dispatcher().disconnected(session);
      decoder.close();
      reply.close();
      onClose.run();
    }
  }

  private record Limits(ServerConfig config) implements RequestLimits {
    @Override
    public long protoMaxBulkLen() {
      return config.protoMaxBulkLen();
    }

    @Override
    public long clientQueryBufferLimit() {
      return config.clientQueryBufferLimit();
    }
  }

  private final class HarnessPeer implements Peer {
    @Override
    public String address() {
      return "127.0.0.1:5000";
    }

    @Override
    public String localAddress() {
      return "127.0.0.1:6379";
    }

    @Override
    public boolean isUnixSocket() {
      return false;
    }

    @Override
    public int fileDescriptor() {
      return 8;
    }

    @Override
    public long inputBytes() {
      return decoder.heldBytes();
    }

    @Override
    public long outputBytes() {
      return 0;
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public void close() {
      mailbox.add(HarnessClient.this::close);
    }

    @Override
    public void closeAfterReply() {
      session.setClosing();
    }

    @Override
    public DeferredReply answerLater() {
      return answer ->
          mailbox.add(() -> {
            answer.accept(reply);
            session.setWaiting(false);
            run();
          });
    }

    @Override
    public void push(Consumer<ReplyWriter> message, long journalPosition) {
      mailbox.add(() -> {
        message.accept(reply);
        read();
      });
    }

    @Override
    public void authenticationChanged(boolean authenticated) {
      decoder.setAuthenticated(authenticated);
    }
  }
}
