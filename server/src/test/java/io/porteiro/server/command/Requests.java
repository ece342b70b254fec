package io.porteiro.server.command;

import io.netty.buffer.ByteBuf;
import io.porteiro.protocol.Request;
import io.porteiro.protocol.RequestBatch;
import io.porteiro.protocol.RequestDecoder;
import io.porteiro.protocol.RequestLimits;
import java.nio.charset.StandardCharsets;

/** Makes one request at a time out of words; it is valid until the next. */
final class Requests implements AutoCloseable {
  private final RequestBatch batch = new RequestBatch(CommandHarness.ALLOCATOR);
  private final RequestDecoder decoder =
      new RequestDecoder(
          new RequestLimits() {
            @Override
            public long protoMaxBulkLen() {
              return 1 << 20;
            }

            @Override
            public long clientQueryBufferLimit() {
              return 1 << 20;
            }
          },
          CommandHarness.ALLOCATOR,
          _ -> null);

  /** Words, one byte a char. */
  Request of(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    ByteBuf bytes = CommandHarness.ALLOCATOR.directBuffer();
    bytes.writeBytes(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    decoder.feed(bytes);
    while (decoder.decode(batch)) {
      if (batch.size() > 0) {
        return batch.get(0);
      }
    }
    throw new AssertionError("no request");
  }

  @Override
  public void close() {
    decoder.close();
    batch.close();
  }
}
