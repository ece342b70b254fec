package io.porteiro.server.command;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.porteiro.protocol.ReplyWriter;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.protocol.RequestDecoder;
import io.porteiro.protocol.RequestLimits;
import io.porteiro.server.CommandLines;
import io.porteiro.server.Microbenchmark;
import io.porteiro.server.command.admin.Observation;
import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.connection.ConnectionCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.net.ChannelRegistry;
import io.porteiro.server.net.ClientRegistry;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * From decoded requests to written replies, per command, without network, decoder and log: one
 * alone, and sixteen of a batch on the same key, which share its lock. Items are present and the
 * filter is in the cache, so that nothing changes.
 *
 * <p>To be compared with PING, which is all that commands have in common, and with the benchmark of
 * the structure: what is left is looking up the command, rights, key, lock and reply.
 */
@State(Scope.Thread)
public class CommandDispatcherBenchmark extends Microbenchmark {
  @Param({"PING", "GET", "BF.EXISTS", "BF.ADD", "BF.MEXISTS", "BF.MADD", "PFADD", "PFCOUNT"})
  public String command;

  private final CommandHarness harness =
      CommandHarness.of(
          ConnectionCommands.commands(),
          StringCommands.commands(),
          BloomCommands.commands(),
          HyperLogLogCommands.commands());
  private final Services services = services(harness.services());
  private final CommandDispatcher dispatcher = new CommandDispatcher(services);
  private final Session session = session(harness.client().session());
  private final Decoded one = new Decoded(services);
  private final Decoded row = new Decoded(services);

  /** The server's own parts instead of the fakes that a command meets. */
  private static Services services(Services fakes) {
    InstantSource clock = InstantSource.system();
    return new Services(
        fakes.table(),
        fakes.keyspace(),
        fakes.config(),
        fakes.metrics(),
        Journal.NONE,
        fakes.persistence(),
        new ClientRegistry(),
        new ChannelRegistry(),
        fakes.lifecycle(),
        fakes.users(),
        fakes.accessLog(),
        fakes.notifications(),
        fakes.tracking(),
        new Observation(fakes.config(), clock),
        clock);
  }

  /** With the server's allocator. */
  private Session session(Session fake) {
    ReplyWriter reply = new ReplyWriter(ByteBufAllocator.DEFAULT);
    reply.setErrorListener(dispatcher::errorReplied);
    return new Session(1, fake.createdAtMs(), fake.peer(), reply, services.users().defaultUser());
  }

  @Setup
  public void prepare() {
    HarnessClient client = harness.client();
    client.call("SET", "string", "some text");
    client.call("BF.RESERVE", "filter", "0.01", "1000000");
    client.sendRaw(CommandLines.row("BF.MADD", CommandLines.PIPELINED));
    client.sendRaw(CommandLines.row("PFADD", CommandLines.PIPELINED));
    client.call("PFCOUNT", "counter");
    one.decode(CommandLines.row(command, 1));
    row.decode(CommandLines.row(command, CommandLines.PIPELINED));
    requireAnswers();
  }

  /** A refused command would look fast. */
  private void requireAnswers() {
    dispatcher.dispatch(session, row.batch);
    session
        .reply()
        .drain(piece -> {
          String text = piece.toString(StandardCharsets.ISO_8859_1);
          piece.release();
          if (text.startsWith("-")) {
            throw new IllegalStateException(text);
          }
        });
  }

  @Benchmark
  public int one() {
    return dispatch(one.batch);
  }

  @Benchmark
  @OperationsPerInvocation(CommandLines.PIPELINED)
  public int pipelined() {
    return dispatch(row.batch);
  }

  private int dispatch(RequestBatch batch) {
    int executed = dispatcher.dispatch(session, batch);
    session.reply().drain(ByteBuf::release);
    return executed;
  }

  @TearDown
  public void close() {
    session.reply().close();
    one.close();
    row.close();
    harness.close();
  }

  /** Requests that are decoded once and executed many times. */
  private static final class Decoded implements AutoCloseable {
    private final RequestBatch batch = new RequestBatch(ByteBufAllocator.DEFAULT);
    private final RequestDecoder decoder;

    Decoded(Services services) {
      decoder = new RequestDecoder(new Limits(services), ByteBufAllocator.DEFAULT, _ -> null);
    }

    void decode(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      decoder.feed(ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes));
      if (!decoder.decode(batch)) {
        throw new IllegalArgumentException(text);
      }
    }

    @Override
    public void close() {
      decoder.close();
      batch.close();
    }
  }

  private record Limits(Services services) implements RequestLimits {
    @Override
    public long protoMaxBulkLen() {
      return services.config().protoMaxBulkLen();
    }

    @Override
    public long clientQueryBufferLimit() {
      return services.config().clientQueryBufferLimit();
    }
  }
}
