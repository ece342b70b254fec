package io.porteiro.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Memory for large arguments that counts what is held and refuses more than its limit. */
final class TestMemory implements BulkMemory.Source {
  private final long limit;
  private long held;
  private long mostHeld;

  TestMemory(long limit) {
    this.limit = limit;
  }

  long held() {
    return held;
  }

  long mostHeld() {
    return mostHeld;
  }

  @Override
  public @Nullable BulkMemory allocate(long capacity) {
    return count(capacity) ? new Memory(capacity) : null;
  }

  private boolean count(long bytes) {
    if (held + bytes > limit) {
      return false;
    }
    held += bytes;
    mostHeld = Math.max(mostHeld, held);
    return true;
  }

  private final class Memory implements BulkMemory {
    private ByteBuf buffer;

    Memory(long capacity) {
      buffer = Unpooled.directBuffer((int) capacity, (int) capacity);
    }

    @Override
    public long address() {
      return NativeBytes.addressOf(buffer);
    }

    @Override
    public long capacity() {
      return buffer.capacity();
    }

    @Override
    public boolean grow(long capacity) {
      if (!count(capacity - capacity())) {
        return false;
      }
      ByteBuf larger = Unpooled.directBuffer((int) capacity, (int) capacity);
      NativeBytes.copy(address(), NativeBytes.addressOf(larger), buffer.capacity());
      buffer.release();
      buffer = larger;
      return true;
    }

    @Override
    public void release() {
      held -= capacity();
      buffer.release();
    }
  }
}
