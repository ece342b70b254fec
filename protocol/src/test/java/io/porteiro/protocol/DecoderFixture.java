package io.porteiro.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A decoder with its batch and memory, fed with texts (a char is a byte); what it decodes becomes
 * text again: an argument in angle brackets, {@code !} before an error. {@link #close} checks that
 * no buffer and no memory is left.
 */
final class DecoderFixture implements RequestLimits, AutoCloseable {
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  final TestMemory memory;
  final RequestDecoder decoder;
  final RequestBatch batch = new RequestBatch(allocator);
  private final List<String> seen = new ArrayList<>();

  /** How many requests were found to be like the one before them. */
  int alike;

  long protoMaxBulkLen = 512L << 20;
  long queryBufferLimit = 1L << 30;

  DecoderFixture() {
    this(1L << 30);
  }

  DecoderFixture(long memoryLimit) {
    memory = new TestMemory(memoryLimit);
    decoder = new RequestDecoder(this, allocator, memory);
  }

  @Override
  public long protoMaxBulkLen() {
    return protoMaxBulkLen;
  }

  @Override
  public long clientQueryBufferLimit() {
    return queryBufferLimit;
  }

  /** Off-heap bytes in use, of buffers only. */
  long directBytes() {
    return allocator.metric().usedDirectMemory();
  }

  void feed(byte[] bytes) {
    decoder.feed(direct(bytes));
  }

  void feed(String text) {
    feed(bytes(text));
  }

  ByteBuf direct(byte[] bytes) {
    return allocator.directBuffer(Math.max(1, bytes.length)).writeBytes(bytes);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Feeds and decodes everything; what came out since the last call. */
  List<String> decode(String text) {
    feed(text);
    return decode();
  }

  List<String> decode() {
    while (decoder.decode(batch)) {
      see();
    }
    return taken();
  }

  List<String> taken() {
    List<String> result = List.copyOf(seen);
    seen.clear();
    return result;
  }

  private void see() {
    for (int i = 0; i < batch.size(); i++) {
      Request request = batch.get(i);
      seen.add(text(request));
      if (request.isLikeBefore()) {
        alike++;
        assertThat(withoutLast(request)).isEqualTo(withoutLast(batch.get(i - 1)));
      }
    }
    ProtocolError error = batch.error();
    if (error != null) {
      seen.add((error.answered() ? "!" : "silent !") + error.text());
    }
  }

  private static List<String> withoutLast(Request request) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < request.count() - 1; i++) {
      words.add(request.text(i));
    }
    return words;
  }

  static String text(Request request) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < request.count(); i++) {
      text.append('<').append(request.text(i)).append('>');
    }
    return text.toString();
  }

  /** A multibulk request. */
  static String request(String... arguments) {
    StringBuilder text = new StringBuilder("*" + arguments.length + "\r\n");
    for (String argument : arguments) {
      text.append('$').append(argument.length()).append("\r\n").append(argument).append("\r\n");
    }
    return text.toString();
  }

  @Override
  public void close() {
    decoder.close();
    batch.close();
    assertThat(directBytes()).as("bytes of buffers that were not released").isZero();
    assertThat(memory.held()).as("bytes of large arguments that were not released").isZero();
  }
}
