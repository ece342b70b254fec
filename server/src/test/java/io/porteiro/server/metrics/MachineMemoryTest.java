package io.porteiro.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test builds the files of a system. */
class MachineMemoryTest {
  private static final long MIB = 1 << 20;
  private static final String NO_LIMIT_V1 = "9223372036854771712";

  @TempDir Path root;

  private void file(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private MachineMemory machineOfOneGib() {
    file("proc/meminfo", "MemTotal:        1048576 kB\nMemFree:  1 kB");
    return new MachineMemory(root);
  }

  @Test
  void totalBytes_withoutGroups_isTheMachines() {
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(1024 * MIB);
    assertThat(memory.limitBesideHeap(64 * MIB)).isZero();
    assertThat(memory.limitWhileLoading()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void totalBytes_unknownSystem_isZero() {
    assertThat(new MachineMemory(root).totalBytes()).isZero();
    assertThat(new MachineMemory(root).limitBesideHeap(64 * MIB)).isZero();
  }

  @Test
  void totalBytes_groupsWithoutLimit_isTheMachines() {
    file("sys/fs/cgroup/memory.max", "max");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", NO_LIMIT_V1);
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(1024 * MIB);
    assertThat(memory.limitBesideHeap(64 * MIB)).isZero();
  }

  @Test
  void totalBytes_containerOfVersion2_isItsLimit() {
    file("sys/fs/cgroup/memory.max", Long.toString(256 * MIB));
    file("proc/self/cgroup", "0::/");
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(256 * MIB);
  }

  @Test
  void totalBytes_containerOfVersion1_isItsLimit() {
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", Long.toString(256 * MIB));
    file("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/docker/abc\n0::/");
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(256 * MIB);
  }

  @Test
  void totalBytes_groupsAroundOurs_countToo() {
    file("proc/self/cgroup", "0::/a.slice/b.service");
    file("sys/fs/cgroup/a.slice/memory.max", Long.toString(512 * MIB));
    file("sys/fs/cgroup/a.slice/b.service/memory.max", "max");
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(512 * MIB);
    file("sys/fs/cgroup/a.slice/b.service/memory.max", Long.toString(128 * MIB));
    assertThat(machineOfOneGib().totalBytes()).isEqualTo(128 * MIB);
  }

  @Test
  void totalBytes_groupOfVersion1SeenFromOutside_isItsLimit() {
    file("proc/self/cgroup", "4:hugetlb,memory:/a/b\n3:cpu:/c");
    file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", NO_LIMIT_V1);
    file("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", Long.toString(200 * MIB));
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(200 * MIB);
  }

  /** Docker without a namespace for groups shows the path outside, which does not exist inside. */
  @Test
  void totalBytes_pathThatIsNotMounted_isPassedOver() {
    file("proc/self/cgroup", "0::/../../elsewhere\nnonsense");
    file("sys/fs/cgroup/memory.max", Long.toString(300 * MIB));
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.totalBytes()).isEqualTo(300 * MIB);
  }

  @Test
  void limitBesideHeap_inAContainer_leavesRoomForTheProcess() {
    file("sys/fs/cgroup/memory.max", Long.toString(256 * MIB));
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.limitBesideHeap(64 * MIB)).isEqualTo((256 - 64 - 64 - 16) * MIB);
    assertThat(memory.limitWhileLoading()).isEqualTo((256 - 64 - 16) * MIB);
  }

  @Test
  void limitBesideHeap_inATinyContainer_isStillSomething() {
    file("sys/fs/cgroup/memory.max", Long.toString(64 * MIB));
    MachineMemory memory = machineOfOneGib();
    assertThat(memory.limitBesideHeap(64 * MIB)).isEqualTo(8 * MIB);
  }

  @Test
  void ofThisProcess_tellsWhatThereIs() {
    assertThat(MachineMemory.ofThisProcess().totalBytes())
        .isGreaterThan(ProcessStats.residentBytes());
  }
}
