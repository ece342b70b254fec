package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.porteiro.server.Microbenchmark;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writing replies and handing over the buffer with them, per reply: one integer alone, sixteen, and
 * an array of 100 booleans. The first is mostly the buffer, which pipelined commands share; the
 * others to be compared with 1 ns a value, what storing it takes.
 */
@State(Scope.Thread)
public class ReplyWriterBenchmark extends Microbenchmark {
  private static final int PIPELINED = 16;
  private static final int ELEMENTS = 100;

  @Param({"2", "3"})
  public int protocol;

  private final ReplyWriter writer = new ReplyWriter(ByteBufAllocator.DEFAULT);
  private final Receiver receiver = new Receiver();
  private long value;

  /** Takes over the buffers, as the channel does. */
  private static final class Receiver implements Consumer<ByteBuf> {
    private long bytes;

    @Override
    public void accept(ByteBuf piece) {
      bytes += piece.readableBytes();
      piece.release();
    }
  }

  @Benchmark
  public long one() {
    writer.setProtocol(protocol);
    writer.integer(value++ & 1);
    return drained();
  }

  @Benchmark
  @OperationsPerInvocation(PIPELINED)
  public long pipelined() {
    writer.setProtocol(protocol);
    for (int i = 0; i < PIPELINED; i++) {
      writer.integer(value++ & 1);
    }
    return drained();
  }

  @Benchmark
  public long arrayOf100() {
    writer.setProtocol(protocol);
    writer.array(ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
      writer.bool((value++ & 1) == 0);
    }
    return drained();
  }

  /** As batches of commands are answered, 50 values at a time. */
  @Benchmark
  public long arrayOf100InWords() {
    writer.setProtocol(protocol);
    writer.array(ELEMENTS);
    writer.bools(value++, ELEMENTS / 2);
    writer.bools(value++, ELEMENTS / 2);
    return drained();
  }

  private long drained() {
    writer.drain(receiver);
    return receiver.bytes;
  }

  @TearDown
  public void close() {
    writer.close();
  }
}
