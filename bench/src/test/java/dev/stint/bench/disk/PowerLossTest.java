package dev.stint.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.bench.disk.DiskOperation.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loses the power after a few operations, once for each of many seeds. */
class PowerLossTest {
  private static final Path DISK = Path.of("/disk");
  private static final int SEEDS = 60;

  @TempDir private Path directory;

  private final List<DiskOperation> operations = new ArrayList<>();
  private int runs;

  private void add(Verb kind, String path, long offset, String data) {
    long at = operations.size();
    long file = path.equals("/disk") ? 1 : 7;
    operations.add(new DiskOperation(kind, at, file, path, offset, at, data.getBytes(UTF_8)));
  }

  private void create(String path) {
    add(Verb.OPEN, path, DiskOperation.CREATED, "");
  }

  private void write(long offset, String data) {
    add(Verb.WRITE, "", offset, data);
  }

  private void sync(String path) {
    add(Verb.SYNC, path, 0, "");
  }

  /** Returns all contents that the file may have; "absent" if it may not be there. */
  private Set<String> left(String name) throws IOException {
    Set<String> contents = new TreeSet<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      Path target = directory.resolve("left-" + runs++);
      PowerLoss.leave(
          directory.resolve("none"), DISK, operations, new SplittableRandom(seed), target);
      Path file = target.resolve(name);
      contents.add(Files.exists(file) ? Files.readString(file) : "absent");
    }
    return contents;
  }

  @Test
  void whatWasSyncedIsThere() throws IOException {
    create("/disk/a");
    write(0, "one");
    sync("/disk/a");
    assertThat(left("a")).containsExactly("one");
  }

  @Test
  void whatWasNotSyncedMayBeLost() throws IOException {
    create("/disk/a");
    write(0, "one");
    sync("/disk/a");
    write(3, "two");
    assertThat(left("a")).containsExactly("one", "onetwo");
  }

  @Test
  void sectorsAreLostOneByOne() throws IOException {
    String first = "x".repeat(512);
    create("/disk/a");
    write(0, first + "yy");
    sync("/disk");
    assertThat(left("a")).contains("", first, first + "yy", "\0".repeat(512) + "yy");
  }

  @Test
  void aNameIsThereOnceItsDirectoryIsSynced() throws IOException {
    create("/disk/a");
    write(0, "one");
    sync("/disk/a");
    add(Verb.RENAME, "/disk/a\n/disk/b", 0, "");
    assertThat(left("b")).containsExactly("absent", "one");
    sync("/disk");
    assertThat(left("b")).containsExactly("one");
  }

  @Test
  void aFileWithTheNumberOfADeletedOneIsAnother() throws IOException {
    create("/disk/a");
    write(0, "one");
    add(Verb.UNLINK, "/disk/a", 0, "");
    create("/disk/b");
    sync("/disk/b");
    assertThat(left("b")).containsExactly("");
  }
}
