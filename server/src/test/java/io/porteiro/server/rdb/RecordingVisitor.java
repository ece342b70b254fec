package io.porteiro.server.rdb;

import io.porteiro.server.structure.Value;
import io.porteiro.server.structure.bloom.BloomFilter;
import io.porteiro.server.structure.string.StringValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps a description of everything and no memory of the values. */
final class RecordingVisitor implements RdbVisitor {
  final Map<String, String> auxiliary = new LinkedHashMap<>();

  /** "database:key" to what it holds. */
  final Map<String, String> entries = new LinkedHashMap<>();

  final Map<String, Long> expiries = new LinkedHashMap<>();
  final Map<String, String> foreign = new LinkedHashMap<>();
  private final long databases;

  RecordingVisitor(long databases) {
    this.databases = databases;
  }

  @Override
  public void auxiliary(String name, String value) {
    auxiliary.put(name, value);
  }

  @Override
  public boolean selectDatabase(long number) {
    return number >= 0 && number < databases;
  }

  @Override
  public boolean entry(long database, byte[] key, long expireAtMs, Value value) {
    String name = name(database, key);
    try {
      expiries.put(name, expireAtMs);
      return entries.put(name, describe(value)) == null;
    } finally {
      value.release();
    }
  }

  @Override
  public void foreign(long database, byte[] key, String typeName) {
    foreign.put(name(database, key), typeName);
  }

  static String name(long database, byte[] key) {
    return database + ":" + latin(key);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String describe(Value value) {
    return switch (value) {
      case StringValue string -> latin(string.toArray());
      case BloomFilter filter ->
          "bloom %d/%d, %d links, %d bytes"
              .formatted(
                  filter.size(), filter.capacity(), filter.linkCount(), filter.bitArrayBytes());
      default -> value.type().toString();
    };
  }
}
