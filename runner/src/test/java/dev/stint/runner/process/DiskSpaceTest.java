package dev.stint.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.runner.runtime.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
  private static final Path WORK = Path.of("/work");
  private static final Path LOGS = Path.of("/logs");
  private static final Instant NOW = Instant.EPOCH;
  private static final Exit FAILED = Exit.of(1, null, NOW, NOW);

  @TempDir Path volumes;

  private Exit explained(Exit exit, Map<Path, Long> left) {
    return new DiskSpace(dir -> left.getOrDefault(dir, Long.MAX_VALUE))
        .explained(exit, WORK, LOGS, volumes);
  }

  @Test
  void aFailureWithAFullDiskSaysSo() {
    assertThat(explained(FAILED, Map.of(WORK, 0L)).message())
        .isEqualTo("the file system of /work is full (0 bytes left)");
    assertThat(explained(FAILED, Map.of(LOGS, 4096L)).message())
        .isEqualTo("the file system of /logs is full (4096 bytes left)");
  }

  @Test
  void aFullVolumeIsFoundToo() throws IOException {
    Path cache = Files.createDirectory(volumes.resolve("cache"));
    assertThat(explained(FAILED, Map.of(cache, 0L)).message()).contains(cache.toString());
  }

  @Test
  void aFileSystemThatNobodyWritesToIsNotFull() {
    assertThat(new DiskSpace().explained(FAILED, Path.of("/proc"), LOGS, volumes))
        .isEqualTo(FAILED);
  }

  @Test
  void theMessageOfTheCommandComesFirst() {
    assertThat(explained(FAILED.withMessage("as I said\n"), Map.of(WORK, 0L)).message())
        .isEqualTo("as I said\nthe file system of /work is full (0 bytes left)");
  }

  @Test
  void otherEndsAreLeftAsTheyAre() {
    assertThat(explained(FAILED, Map.of())).isEqualTo(FAILED);
    Exit good = Exit.of(0, null, NOW, NOW);
    assertThat(explained(good, Map.of(WORK, 0L))).isEqualTo(good);
    Exit killed = FAILED.withReason(Exit.OOM_KILLED);
    assertThat(explained(killed, Map.of(WORK, 0L))).isEqualTo(killed);
  }

  @Test
  void aDirectoryThatCannotBeMeasuredIsNoReason() {
    Path gone = volumes.resolve("gone");
    assertThat(new DiskSpace().explained(FAILED, gone, gone, gone)).isEqualTo(FAILED);
  }
}
