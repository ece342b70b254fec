package io.porteiro.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.porteiro.protocol.ProtocolError;
import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.protocol.RequestDecoder;
import io.porteiro.server.command.DeferredReply;
import io.porteiro.server.command.Journal;
import io.porteiro.server.command.Peer;
import io.porteiro.server.command.Session;
import io.porteiro.server.config.OutputBufferLimit;
import io.porteiro.server.config.OutputBufferLimits;
import io.porteiro.server.config.ServerConfig;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: hands what is read to the decoder, its requests to the dispatcher, and
 * their replies to the socket, one flush for all that was read.
 *
 * <p>It is not read from, and nothing is executed for it, while
 *
 * <ul>
 *   <li>a command of it answers later ({@link #answerLater}),
 *   <li>a large reply is sent step by step,
 *   <li>CLIENT PAUSE holds its next command ({@link #hold}),
 *   <li>its output tells of changes that are not yet safe in the log ({@link #awaitsLog}),
 *   <li>the peer does not take its replies: more than {@link NetworkServer#MAX_OUTPUT_BYTES} wait.
 * </ul>
 *
 * What was read but not executed stays in the decoder until {@link #resume}.
 */
final class Connection extends ChannelInboundHandlerAdapter implements Peer {
  private static final Logger log = LoggerFactory.getLogger(Connection.class);

  /** Replies of one batch beyond this are sent before the next one is executed. */
  private static final long SEND_FROM_BYTES = 256 << 10;

  /** So much of a large reply is copied and sent before more of it is. */
  private static final long LARGE_STEP_BYTES = 2 << 20;

  /** How long a client may take to close, after it got its last reply and the end of the stream. */
  private static final long LINGER_MS = 1000;

  /** What the objects of a connection take on the heap, about. */
  private static final long OBJECT_BYTES = 2048;

  /** What the state of an encrypted connection takes besides, about: 10 KiB of it on the heap. */
  private static final long ENCRYPTION_BYTES = 22 << 10;

  /**
   * So much output is not counted against {@code client-output-buffer-limit}: Redis counts what
   * does not fit the buffer that every connection has. Otherwise small limits would cut off
   * everyone.
   */
  private static final long FREE_OUTPUT_BYTES = 16 << 10;

  /** Smaller differences in a connection's memory are counted once a second only. */
  private static final long COUNTED_STEP_BYTES = 16 << 10;

  private final Channel channel;
  private final @Nullable SslHandler encryption;
  private final ConnectionLoop loop;
  private final NetworkServer server;
  private final RequestDecoder decoder;
  private final ReplyWriter reply;
  private final Session session;
  private final OutputLimit outputLimit;
  private final Consumer<ByteBuf> outlet = this::write;
  private final Queue<Push> pushes = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean pushScheduled = new AtomicBoolean();
  private final boolean unixSocket;
  private final String address;
  private final String localAddress;

  /** For other threads that ask how much there is to be executed. */
  private volatile long inputBytes;

  /** Likewise, of what was answered and is neither sent nor in the channel's buffer. */
  private volatile long unsentBytes;

  /** And of that, what lies in values: it may be all that still keeps them in memory. */
  private volatile long lentBytes;

  private @Nullable ProtocolError error;
  private boolean held;

  /** Whether the loop sends the output as soon as the log permits it. */
  private boolean awaitingLog;

  private boolean sendingLarge;
  private boolean inputEnded;
  private boolean finishing;
  private boolean left;

  /** Written on the event loop only; eviction reads it. */
  private volatile long countedBytes;

  /** What is no reply, with the journal position that it waits for. */
  private record Push(Consumer<ReplyWriter> message, long journalPosition) {}

  /**
   * @param path of the Unix socket, null for TCP
   * @param encryption the handler before this one that encrypts; null: the connection is plain
   */
  Connection(
      Channel channel,
      ConnectionLoop loop,
      NetworkServer server,
      @Nullable String path,
      @Nullable SslHandler encryption) {
    this.channel = channel;
    this.encryption = encryption;
    this.loop = loop;
    this.server = server;
    this.outputLimit = new OutputLimit(server.clock());
    this.unixSocket = path != null;
    this.address =
        path == null ? SocketNames.of(channel.remoteAddress()) : SocketNames.ofUnixSocket(path);
    this.localAddress =
        path == null ? SocketNames.of(channel.localAddress()) : SocketNames.ofUnixSocket(path);
    this.decoder = new RequestDecoder(server.limits(), channel.alloc(), server.argumentMemory());
    this.reply = new ReplyWriter(channel.alloc());
    reply.setErrorListener(loop.errorListener());
    this.session =
        new Session(server.clients().nextId(), server.nowMs(), this, reply, server.defaultUser());
    decoder.setAuthenticated(session.isAuthenticated());
  }

  private ServerConfig config() {
    return server.config();
  }

  Session session() {
    return session;
  }

  @Override
  public long memoryBytes() {
    return countedBytes;
  }

  /** The same with what is kept in memory for it, and perhaps for nobody else. Any thread. */
  long burdenBytes() {
    return countedBytes + lentBytes;
  }

  /** Begins to be one of the server's clients. Its place is taken already. */
  void enter() {
    loop.add(this);
    server.clients().add(session);
    countMemory(1);
  }

  @Override
  public long objectBytes() {
    return encryption == null ? OBJECT_BYTES : OBJECT_BYTES + ENCRYPTION_BYTES;
  }

  // ---- requests

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    loop.metrics().bytesIn(in.readableBytes());
    if (session.isClosing()) {
      in.release();
      return;
    }
    decoder.feed(in);
    execute();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    send();
  }

  private void execute() {
    RequestBatch batch = loop.batch();
    while (canExecute() && decoder.decode(batch)) {
      execute(batch);
    }
  }

  private boolean canExecute() {
    return !isHeldUp() && !session.isClosing();
  }

  private boolean isHeldUp() {
    return awaitingLog || sendingLarge || session.isWaiting() || held || !channel.isWritable();
  }

  private void execute(RequestBatch batch) {
    int executed = loop.dispatcher().dispatch(session, batch);
    if (executed < batch.size()) {
      decoder.rewind(batch, executed);
    } else {
      error = batch.error();
    }
    answerError();
    if (reply.pendingBytes() >= SEND_FROM_BYTES) {
      flushIfLogged();
    }
  }

  /** Nothing can be decoded after a protocol error; what came before is answered first. */
  private void answerError() {
    ProtocolError now = error;
    if (now == null || session.isWaiting() || session.isClosing()) {
      return;
    }
    log.debug("Client {} at {} sent a malformed request: {}", session.id(), address, now.text());
    if (now.answered()) {
      reply.error(now.reply());
    } else if (now.isQueryBufferLimit()) {
      server.metrics().clientLosses().countInputLimit();
    }
    session.setClosing();
  }

  // ---- replies

  private void send() {
    boolean wasAwaiting = awaitingLog;
    flushIfLogged();
    inputBytes = decoder.heldBytes();
    unsentBytes = reply.pendingBytes();
    lentBytes = unsentBytes - reply.heldBytes();
    if (isOutputTooLarge()) {
      closeNow();
    } else if (awaitingLog) {
      stopReadingIfAgain(wasAwaiting);
    } else if (session.isClosing() && !sendingLarge) {
      finish();
    } else {
      setReading(!isHeldUp());
    }
    countMemory(COUNTED_STEP_BYTES);
  }

  private void flushIfLogged() {
    if (!awaitingLog && awaitsLog()) {
      awaitingLog = true;
      loop.awaitLog(this);
    }
    if (!awaitingLog) {
      flush();
    }
  }

  /** Whether there is output that must not leave before more of the log is safe. */
  private boolean awaitsLog() {
    long position = session.journalPosition();
    return position > loop.journal().releasedPosition() && isBehindLog() && hasOutput();
  }

  /** While the disk takes nothing only one's own changes are waited for. */
  private boolean isBehindLog() {
    Journal journal = loop.journal();
    return !journal.isFailing() || session.ownPosition() > journal.releasedPosition();
  }

  private boolean hasOutput() {
    return reply.pendingBytes() > 0 && !left;
  }

  /**
   * Mostly the log is written before the loop reads again, and to stop reading costs a system call;
   * so it is done only when more arrives meanwhile.
   */
  private void stopReadingIfAgain(boolean wasAwaiting) {
    if (wasAwaiting) {
      setReading(false);
    }
  }

  /** The log has gone on: goes on too, if that was far enough; else false. */
  boolean sendIfLogged() {
    if (!left && awaitsLog()) {
      return false;
    }
    awaitingLog = false;
    goOn();
    return true;
  }

  /** After the end of the input there is nothing to read, and epoll fails where one asks for it. */
  private void setReading(boolean reading) {
    ChannelConfig config = channel.config();
    if (channel.isOpen() && !inputEnded && config.isAutoRead() != reading) {
      config.setAutoRead(reading);
    }
  }

  private void flush() {
    if (hasOutput() && !sendingLarge) {
      loop.metrics().flushed();
      if (!reply.drain(outlet, LARGE_STEP_BYTES)) {
        sendingLarge = true;
        channel
            .write(Unpooled.EMPTY_BUFFER)
            .addListener((ChannelFutureListener) sent -> largeStepSent());
      }
      channel.flush();
    }
  }

  /** A step of a large reply is with the kernel: the next one can be copied. */
  private void largeStepSent() {
    sendingLarge = false;
    goOn();
  }

  private void write(ByteBuf bytes) {
    loop.metrics().bytesOut(bytes.readableBytes());
    channel.write(bytes, channel.voidPromise());
  }

  private boolean isOutputTooLarge() {
    OutputBufferLimits limits = config().clientOutputBufferLimit();
    OutputBufferLimit limit = session.isSubscriber() ? limits.pubsub() : limits.normal();
    boolean exceeded = !finishing && outputLimit.isExceeded(limit, limitedOutputBytes());
    if (exceeded && !session.isClosing()) {
      log.warn("Client {} at {} is closed: it does not read its output", session.id(), address);
      server.metrics().clientLosses().countOutputLimit();
    }
    return exceeded;
  }

  private long limitedOutputBytes() {
    return Math.max(0, bufferedBytes() + reply.pendingBytes() - FREE_OUTPUT_BYTES);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      resumeSoon();
    }
  }

  // ---- going on after being held up

  void resumeSoon() {
    channel.eventLoop().execute(this::resume);
  }

  private void resume() {
    held = false;
    goOn();
  }

  private void goOn() {
    if (left) {
      return;
    }
    answerError();
    execute();
    if (inputEnded && canExecute()) {
      session.setClosing(); // all that was sent before the end is answered
    }
    send();
  }

  /**
   * The next command must wait until a pause ends.
   *
   * @param untilMs Unix milliseconds; the largest value: until {@link #resumeSoon}
   */
  void hold(long untilMs) {
    held = true;
    if (untilMs != Long.MAX_VALUE) {
      long waitMs = Math.max(1, untilMs - server.nowMs());
      channel.eventLoop().schedule(this::resume, waitMs, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public DeferredReply answerLater() {
    return answer -> channel.eventLoop().execute(() -> answerNow(answer));
  }

  private void answerNow(Consumer<ReplyWriter> answer) {
    session.setWaiting(false);
    if (!left) {
      answer.accept(reply);
      resume();
    }
  }

  // ---- pushes

  @Override
  public void push(Consumer<ReplyWriter> message, long journalPosition) {
    pushes.add(new Push(message, journalPosition));
    if (pushScheduled.compareAndSet(false, true)) {
      channel.eventLoop().execute(this::writePushes);
    }
  }

  /** CLIENT REPLY OFF does not hold for messages. */
  private void writePushes() {
    pushScheduled.set(false);
    boolean discarding = reply.isDiscarding();
    reply.setDiscarding(false);
    for (Push push = pushes.poll(); push != null; push = pushes.poll()) {
      if (!left && !session.isClosing()) {
        push.message().accept(reply);
        session.sawPosition(push.journalPosition());
      }
    }
    reply.setDiscarding(discarding);
    if (!left) {
      send();
    }
  }

  // ---- the end

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    switch (event) {
      case ChannelInputShutdownEvent _ -> endOfInput();
      case SslCloseCompletionEvent end when end.isSuccess() -> endOfInput();
      case SslHandshakeCompletionEvent handshake when !handshake.isSuccess() ->
          handshakeFailed(handshake.cause());
      default -> {}
    }
  }

  private void handshakeFailed(Throwable cause) {
    if (cause instanceof ClosedChannelException) {
      log.debug("Client {} at {} left during the handshake", session.id(), address);
    } else {
      server.handshakeLog().failed(reason(cause), address, localAddress);
    }
    closeNow();
  }

  /** What came instead of a handshake may be secret, a password in plain text for one. */
  private static String reason(Throwable cause) {
    return cause instanceof NotSslRecordException
        ? "it does not speak TLS"
        : String.valueOf(cause.getMessage());
  }

  /** The client has closed its side at least; it may still read. */
  private void endOfInput() {
    inputEnded = true;
    if (left || isShakingHands()) {
      channel.close();
    } else {
      resume();
    }
  }

  private boolean isShakingHands() {
    return encryption != null && !encryption.handshakeFuture().isDone();
  }

  /** From now on nobody finds it: who was told that it is killed, or sees it closed, cannot. */
  @Override
  public void close() {
    server.clients().remove(session);
    if (channel.eventLoop().inEventLoop()) {
      closeNow();
    } else {
      channel.eventLoop().execute(this::closeNow);
    }
  }

  private void closeNow() {
    server.clients().remove(session);
    session.setClosing();
    if (encryption != null && bufferedBytes() > 0) {
      channel.pipeline().firstContext().close(); // the end of encryption would wait behind it
    } else {
      channel.close();
    }
  }

  @Override
  public void closeAfterReply() {
    session.setClosing();
  }

  /** The server ends. */
  void closeAfterFlush() {
    session.setClosing();
    send();
  }

  /** The server ends, and this connection still waits: for the log, or for its client to read. */
  void abandon() {
    session.setClosing();
    leave();
    channel.close();
  }

  /** All replies are written: closes when they are sent. */
  private void finish() {
    if (!finishing) {
      finishing = true;
      setReading(true); // to see the client's end; what else comes is dropped
      channel
          .writeAndFlush(Unpooled.EMPTY_BUFFER)
          .addListener((ChannelFutureListener) sent -> linger());
    }
  }

  /**
   * Closing a socket with unread bytes resets the connection, and the reset can overtake the last
   * reply. So only our side is closed at first.
   */
  private void linger() {
    leave();
    if (inputEnded || !channel.isActive()) {
      channel.close();
      return;
    }
    endOutput((DuplexChannel) channel);
    channel.eventLoop().schedule(() -> channel.close(), LINGER_MS, TimeUnit.MILLISECONDS);
  }

  private void endOutput(DuplexChannel duplex) {
    if (encryption == null) {
      duplex.shutdownOutput();
    } else {
      encryption.closeOutbound().addListener(sent -> duplex.shutdownOutput());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    session.setClosing();
    leave();
  }

  /** Is no longer one of the server's clients. */
  private void leave() {
    if (left) {
      return;
    }
    left = true;
    server.clients().remove(session);
    loop.remove(this);
    loop.dispatcher().disconnected(session);
    decoder.close();
    reply.close();
    pushes.clear();
    server.countMemory(-countedBytes);
    countedBytes = 0;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
    Throwable cause = thrown instanceof DecoderException ? thrown.getCause() : thrown;
    if (cause instanceof IOException) {
      log.debug("Connection of client {} at {} broke", session.id(), address, cause);
    } else {
      log.error("Client {} at {} is closed after a fault", session.id(), address, cause);
    }
    closeNow();
  }

  // ---- once a second, and for CLIENT LIST

  void tick(long nowMs) {
    if (isIdle(nowMs)) {
      log.debug("Client {} at {} is closed: it was idle", session.id(), address);
      closeNow();
    } else if (isOutputTooLarge()) {
      closeNow();
    }
    countMemory(1);
  }

  private boolean isIdle(long nowMs) {
    int timeout = config().timeout();
    return timeout > 0
        && !session.isSubscriber()
        && !session.isWaiting()
        && !awaitingLog
        && !held
        && nowMs - session.lastInteractionMs() > timeout * 1000L;
  }

  /** Brings the counted memory up to date, if it is off by so many bytes at least. */
  private void countMemory(long stepBytes) {
    if (left) {
      return;
    }
    long now =
        objectBytes()
            + decoder.heldBytes()
            + bufferedBytes()
            + reply.heldBytes()
            + session.subscriptionBytes();
    long before = countedBytes;
    if (Math.abs(now - before) >= stepBytes) {
      server.countMemory(now - before);
      countedBytes = now;
    }
  }

  @Override
  public void authenticationChanged(boolean authenticated) {
    decoder.setAuthenticated(authenticated);
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public String localAddress() {
    return localAddress;
  }

  @Override
  public boolean isUnixSocket() {
    return unixSocket;
  }

  @Override
  public int fileDescriptor() {
    return channel instanceof UnixChannel unix ? unix.fd().intValue() : -1;
  }

  @Override
  public long inputBytes() {
    return inputBytes;
  }

  @Override
  public long outputBytes() {
    return bufferedBytes() + unsentBytes;
  }

  /** What waits for the kernel to take it. */
  private long bufferedBytes() {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null ? 0 : waiting.totalPendingWriteBytes();
  }
}
