package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.porteiro.server.CommandLines;
import io.porteiro.server.Microbenchmark;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * From the bytes of a read to requests, per request: one alone, sixteen in one read, and one that
 * comes in two reads. To be compared with the cost of the whole command ({@code load}), and
 * pipelined with a memcpy of the bytes: decoding should be a small part of the one, and not many
 * times the other. The request in two reads costs a buffer and a copy more.
 */
@State(Scope.Thread)
public class RequestDecoderBenchmark extends Microbenchmark {
  private static final long LIMIT_BYTES = 1 << 30;

  @Param({"PING", "BF.EXISTS", "BF.MEXISTS"})
  public String command;

  private final RequestBatch batch = new RequestBatch(ByteBufAllocator.DEFAULT);
  private final RequestDecoder decoder =
      new RequestDecoder(new Limits(), ByteBufAllocator.DEFAULT, _ -> null);

  private ByteBuf one = Unpooled.EMPTY_BUFFER;
  private ByteBuf row = Unpooled.EMPTY_BUFFER;
  private ByteBuf head = Unpooled.EMPTY_BUFFER;
  private ByteBuf tail = Unpooled.EMPTY_BUFFER;

  @Setup
  public void encode() {
    one = direct(CommandLines.row(command, 1));
    row = direct(CommandLines.row(command, CommandLines.PIPELINED));
    int half = one.readableBytes() / 2;
    head = one.slice(0, half);
    tail = one.slice(half, one.readableBytes() - half);
  }

  private static ByteBuf direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  @Benchmark
  public int one() {
    return decode(one, 1);
  }

  @Benchmark
  @OperationsPerInvocation(CommandLines.PIPELINED)
  public int pipelined() {
    return decode(row, CommandLines.PIPELINED);
  }

  @Benchmark
  public int inTwoReads() {
    return decode(head, 0) + decode(tail.resetReaderIndex(), 1);
  }

  /** Whoever decodes releases what was read, but here it is read again. */
  private int decode(ByteBuf read, int expected) {
    decoder.feed(read.retain());
    int requests = 0;
    int arguments = 0;
    while (decoder.decode(batch)) {
      requests += batch.size();
      arguments += batch.get(batch.size() - 1).count();
    }
    if (requests != expected) {
      throw new IllegalStateException(requests + " requests");
    }
    return arguments;
  }

  @TearDown
  public void release() {
    decoder.close();
    batch.close();
    one.release();
    row.release();
  }

  private record Limits() implements RequestLimits {
    @Override
    public long protoMaxBulkLen() {
      return LIMIT_BYTES;
    }

    @Override
    public long clientQueryBufferLimit() {
      return LIMIT_BYTES;
    }
  }
}
