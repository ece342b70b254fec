package io.porteiro.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.porteiro.server.command.bloom.BloomCommands;
import io.porteiro.server.command.hyperloglog.HyperLogLogCommands;
import io.porteiro.server.command.keyspace.KeyspaceCommands;
import io.porteiro.server.command.string.StringCommands;
import io.porteiro.server.command.transaction.TransactionCommands;
import io.porteiro.server.store.Keyspace;
import io.porteiro.server.structure.FilterCensus;
import io.porteiro.server.structure.bloom.BloomFilter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What INFO counts of keys: look-ups, changes for the save points, filters. */
class KeyStatisticsTest extends CommandFamilyTest {
  KeyStatisticsTest() {
    super(
        BloomCommands.commands(),
        HyperLogLogCommands.commands(),
        KeyspaceCommands.commands(),
        StringCommands.commands(),
        TransactionCommands.commands());
  }

  private long hits() {
    return server.services().metrics().keyspaceHits();
  }

  private long misses() {
    return server.services().metrics().keyspaceMisses();
  }

  private long changes() {
    return server.services().keyspace().changes();
  }

  private FilterCensus filters() {
    return server.services().keyspace().filters();
  }

  /** Consecutive look-ups of one key are one look at the table, but each is a hit. */
  @Test
  void run_ofLookUps_countsEachOfThem() {
    call("BF.ADD f a");
    assertThat(client.batch("BF.EXISTS f a", "BF.MEXISTS f b", "BF.ADD f c", "BF.EXISTS f c"))
        .containsExactly(":1", "[:0]", ":1", ":1");
    assertThat(hits()).isEqualTo(3);
    assertThat(misses()).isZero();
  }

  @Test
  void run_ofLookUpsOfNothing_countsEachAsAMiss() {
    client.batch("BF.EXISTS f a", "BF.EXISTS f a", "PFCOUNT h", "PFCOUNT h");
    assertThat(hits()).isZero();
    assertThat(misses()).isEqualTo(4);
  }

  /** After PFADD the count is not cached: the run goes on under the write lock. */
  @Test
  void run_ofAddsAndCounts_countsTheCountsOnly() {
    client.batch("PFADD h a", "PFCOUNT h", "PFADD h b", "PFCOUNT h", "PFCOUNT h");
    assertThat(hits()).isEqualTo(3);
    assertThat(misses()).isZero();
  }

  @Test
  void transaction_ofLookUps_countsEachOfThem() {
    client.batch("MULTI", "BF.ADD f a", "BF.EXISTS f a", "PFCOUNT h", "BF.ADD f a", "EXEC");
    assertThat(hits()).isEqualTo(1);
    assertThat(misses()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "PFADD h, 1", // created
    "PFADD h a b c, 4", // created, and three registers
    "BF.ADD f a, 1",
    "BF.MADD f a b c, 1",
    "SET s x, 1",
    "MSET s x t y, 2",
  })
  void command_onNothing_countsItsChangesForTheSavePoints(String command, long changes) {
    call(command);
    assertThat(changes()).isEqualTo(changes);
  }

  @ParameterizedTest
  @CsvSource({
    "PFADD h a, 0",
    "PFADD h x y z a, 3",
    "RENAME s t, 1",
    "MOVE s 1, 1",
    "COPY s t, 1",
    "BF.ADD f a, 0",
    "BF.MADD f a b, 1",
  })
  void command_onSomething_countsItsChangesForTheSavePoints(String command, long changes) {
    client.batch("SET s x", "PFADD h a", "BF.ADD f a");
    long before = changes();
    call(command);
    assertThat(changes() - before).isEqualTo(changes);
  }

  @Test
  void filters_asTheyComeGrowMoveAndGo_areCounted() {
    client.batch("BF.RESERVE f 0.01 10", "BF.RESERVE g 0.01 100", "BF.MADD g a b", "SET s x");
    for (int i = 0; i < 30; i++) {
      call("BF.ADD f item" + i);
    }
    FilterCensus census = filters();
    assertThat(census.filters()).isEqualTo(2);
    assertThat(census.links()).isEqualTo(3);
    assertThat(census.items()).isEqualTo(32);
    assertThat(census.capacity()).isEqualTo(10 + 20 + 100);
    assertThat(census.bytes()).isEqualTo(bytesOfFilters());

    client.batch("RENAME f h", "MOVE h 1", "COPY g g2", "SWAPDB 0 1", "RENAME h h2");
    assertThat(filters().items()).isEqualTo(34);
    assertThat(filters().filters()).isEqualTo(3);

    client.batch("BF.ADD h2 one-more", "SET h2 x");
    client.session().setDatabase(1);
    client.batch("RENAME g g2");
    assertThat(filters().filters()).isEqualTo(1);
    assertThat(filters().items()).isEqualTo(2);
    client.batch("BF.ADD g2 c", "FLUSHDB", "BF.ADD g2 c");
    assertThat(filters().items()).isEqualTo(1);
    client.batch("DEL g2");
    assertThat(filters()).usingRecursiveComparison().isEqualTo(new FilterCensus());
  }

  private long bytesOfFilters() {
    AtomicLong bytes = new AtomicLong();
    for (int shard = 0; shard < Keyspace.SHARDS; shard++) {
      server
          .keyspace()
          .shard(shard)
          .table(0)
          .forEach(entry -> {
            if (entry.value() instanceof BloomFilter filter) {
              bytes.addAndGet(filter.memoryBytes());
            }
          });
    }
    return bytes.get();
  }
}
