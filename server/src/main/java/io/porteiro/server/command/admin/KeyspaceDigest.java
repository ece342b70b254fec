package io.porteiro.server.command.admin;

import io.porteiro.server.command.CommandContext;
import io.porteiro.server.memory.OffHeap;
import io.porteiro.server.rdb.DumpPayload;
import io.porteiro.server.store.Entry;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.store.Shard;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A sum over all data, whatever order they lie in: the exclusive or of a SHA-1 per key, over
 * database, key, expiry and DUMP payload. All zeros for no data, as Redis has it; otherwise the sum
 * is our own.
 */
final class KeyspaceDigest {
  private static final int BYTES = 20;
  private static final int PIECE_BYTES = 1 << 20;

  private final CommandContext context;
  private final byte[] sum = new byte[BYTES];

  private KeyspaceDigest(CommandContext context) {
    this.context = context;
  }

  static String of(CommandContext context) {
    KeyspaceDigest digest = new KeyspaceDigest(context);
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      context.inShard(shard, digest::add);
    }
    return HexFormat.of().formatHex(digest.sum);
  }

  private void add(Shard shard) {
    for (int i = 0; i < context.keyspace().databases(); i++) {
      int database = i;
      shard
          .table(database)
          .forEach(entry -> {
            if (!context.isExpired(entry)) {
              add(database, entry);
            }
          });
    }
  }

  private void add(int database, Entry entry) {
    MessageDigest sha1 = sha1();
    sha1.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, database));
    sha1.update(entry.key());
    sha1.update((byte) (entry.hasExpiry() ? 1 : 0));
    try (DumpPayload payload = DumpPayload.of(entry.value(), context.keyspace().pool(), false)) {
      update(sha1, payload.address(), payload.length());
    }
    byte[] one = sha1.digest();
    for (int i = 0; i < BYTES; i++) {
      sum[i] ^= one[i];
    }
  }

  private static void update(MessageDigest sha1, long address, long length) {
    for (long done = 0; done < length; done += PIECE_BYTES) {
      long piece = Math.min(PIECE_BYTES, length - done);
      sha1.update(OffHeap.MEMORY.asSlice(address + done, piece).asByteBuffer());
    }
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
