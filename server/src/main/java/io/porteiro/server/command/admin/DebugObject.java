package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import io.porteiro.server.structure.string.StringValue;
import java.util.Locale;

/** The line of DEBUG OBJECT. */
final class DebugObject {
  private static final int LRU_CLOCK_MASK = 0xffffff;

  /** Type byte, version and checksum. */
  private static final int PAYLOAD_FRAME_BYTES = 11;

  private DebugObject() {}

  static String describe(Entry entry, CommandContext context) {
    int lru = entry.accessedAtSeconds();
    return String.format(
        Locale.ROOT,
        "Value at:0x%x refcount:1 encoding:%s serializedlength:%d lru:%d lru_seconds_idle:%d",
        System.identityHashCode(entry.value()),
        encoding(entry),
        serializedLength(entry, context),
        lru & LRU_CLOCK_MASK,
        Math.max(0, (int) (context.nowMs() / 1000) - lru));
  }

  private static String encoding(Entry entry) {
    return entry.value() instanceof StringValue string ? string.encoding().encodingName() : "raw";
  }

  private static long serializedLength(Entry entry, CommandContext context) {
    try (DumpPayload payload =
        DumpPayload.of(
            entry.value(), context.keyspace().pool(), context.config().rdbcompression())) {
      return payload.length() - PAYLOAD_FRAME_BYTES;
    }
  }
}
