package dev.stint.store.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.stint.store.Entry;
import dev.stint.store.ManualExecutor;
import dev.stint.store.Precondition;
import dev.stint.store.Store;
import dev.stint.store.StoreEvent;
import dev.stint.store.StoreException;
import dev.stint.store.StoreOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocksEngineTest {
  private final ManualExecutor loop = new ManualExecutor();
  @TempDir private Path directory;

  @Test
  void anEmptyEngineHasNoEntriesAndNoRevision() throws IOException {
    try (RocksEngine engine = RocksEngine.open(directory)) {
      assertThat(engine.readBack(_ -> {})).isZero();
    }
  }

  @Test
  void onlyTheOwnerMayReadAnyFileWhateverRocksMakesLater() throws IOException, StoreException {
    try (RocksEngine engine = RocksEngine.open(directory)) {
      assertFilesArePrivate();
      byte[] large = new byte[4 << 20];
      for (int i = 1; i <= 12; i++) { // More than a log holds.
        new Random(i).nextBytes(large);
        engine.append(List.of(written("key" + i, i, large.clone())));
      }
      engine.compact(); // Tables have their modes once they are complete.
      assertFilesArePrivate();
    }
    Path readable = Files.writeString(directory.resolve("of-an-earlier-release.sst"), "");
    Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));
    RocksEngine.open(directory).close();
    assertFilesArePrivate();
  }

  private static StoreEvent written(String key, long revision, byte[] value) {
    return new StoreEvent(revision, null, new Entry(key, value, revision, revision));
  }

  private void assertFilesArePrivate() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(file ->
              assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                  .isEqualTo("rw-------"));
    }
  }

  @Test
  void everythingIsThereAfterReopening() throws IOException, StoreException {
    try (Store store = open()) {
      store.put("a/ü𝒳", "ä".getBytes(UTF_8), Precondition.absent());
      store.put("b", new byte[0], Precondition.absent());
      loop.runAll();
      store.put("b", new byte[] {0, -1}, Precondition.revision(3));
      store.put("c", new byte[100_000], Precondition.absent());
      store.delete("c", Precondition.any());
      loop.runAll();
    }
    try (Store store = open()) {
      assertThat(store.revision()).isEqualTo(6);
      assertThat(store.list("").entries())
          .extracting(Entry::key, e -> List.of(e.createRevision(), e.revision()))
          .containsExactly(tuple("a/ü𝒳", List.of(2L, 2L)), tuple("b", List.of(3L, 4L)));
      assertThat(store.list("b").entries().getFirst().value()).containsExactly(0, -1);
    }
  }

  @Test
  void keysAndValuesOfEveryLengthAreReadBack() throws IOException {
    List<StoreEvent> batch = new ArrayList<>();
    for (int length : new int[] {1, 1023, 1024, 1025, 3000}) {
      batch.add(written("k".repeat(length), batch.size() + 1, value(length)));
    }
    for (int length : new int[] {0, 65_519, 65_520, 65_521, 200_000}) {
      batch.add(written("of " + length, batch.size() + 1, value(length)));
    }
    try (RocksEngine engine = RocksEngine.open(directory)) {
      engine.append(batch);
      Map<String, byte[]> found = new HashMap<>();
      engine.readBack(entry -> found.put(entry.key(), entry.value()));
      assertThat(found).hasSameSizeAs(batch);
      batch.forEach(event -> assertThat(found.get(event.key())).isEqualTo(event.after().value()));
    }
  }

  private static byte[] value(int length) {
    byte[] value = new byte[length];
    new Random(length).nextBytes(value);
    return value;
  }

  @Test
  void agreesWithMemoryAfterManyReopenings() throws IOException, StoreException {
    Random random = new Random(42);
    Map<String, byte[]> expected = new HashMap<>();
    for (int life = 0; life < 5; life++) {
      try (Store store = open()) {
        assertSame(store, expected);
        for (int i = 0; i < 500; i++) {
          change(store, random, expected);
        }
        loop.runAll();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void aLogThatWasCutShortHoldsWholeBatchesFromTheFirstOn(long seed) throws Exception {
    int batches = 50;
    Store store = open();
    for (int batch = 0; batch < batches; batch++) {
      byte[] value = new byte[] {(byte) batch};
      List.of("a", "b", "c").forEach(key -> store.put(key, value, Precondition.any()));
      loop.runAll();
    }
    store.close();
    Files.delete(directory.resolve(SyncedRevision.FILE)); // As if nothing had been synced.
    truncateLog(new Random(seed));
    try (Store found = open()) {
      long survived = (found.revision() - 1) / 3;
      assertThat(found.revision()).isEqualTo(1 + 3 * survived).isLessThan(1 + 3 * batches);
      assertThat(found.list("").entries())
          .hasSize(survived == 0 ? 0 : 3)
          .allSatisfy(entry -> assertThat(entry.value()).containsExactly((byte) (survived - 1)));
    }
  }

  @Test
  void aLogThatHasLostWhatWasSyncedIsRefused() throws Exception {
    fillLog();
    truncateLog(new Random(1));
    assertRefused();
    assertRefused(); // The first refusal has changed nothing.
    Files.delete(directory.resolve(SyncedRevision.FILE));
    try (Store found = open()) {
      assertThat(found.revision()).isLessThan(151);
    }
  }

  @Test
  void aLogWithADamagedByteIsRefused() throws Exception {
    fillLog();
    try (var files = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : files) {
        byte[] content = Files.readAllBytes(log);
        content[content.length / 3] ^= 1;
        Files.write(log, content);
      }
    }
    assertRefused();
  }

  @Test
  void aLogThatWasDeletedIsRefused() throws Exception {
    fillLog();
    try (var files = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : files) {
        Files.delete(log);
      }
    }
    assertRefused();
  }

  /** The end of a log that was never synced may be lost: nobody was told that it was there. */
  @Test
  void writesThatWereNotSyncedMayBeMissing() throws Exception {
    fillLog();
    try (RocksEngine engine = RocksEngine.open(directory)) {
      engine.append(List.of(written("unsynced", 152, new byte[3000])));
    }
    try (var files = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : files) {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
          channel.truncate(Math.max(0, channel.size() - 1000));
        }
      }
    }
    try (Store found = open()) {
      assertThat(found.revision()).isEqualTo(151);
    }
  }

  /** A version that did not know of it has written meanwhile, or the power was lost. */
  @Test
  void aRecordOfTheSyncedRevisionThatIsOldOrTornDoesNotCount() throws Exception {
    fillLog();
    Path file = directory.resolve(SyncedRevision.FILE);
    byte[] record = Files.readAllBytes(file);
    record[0] = 1; // A revision in the far future.
    Files.write(file, record);
    try (Store found = open()) {
      assertThat(found.revision()).isEqualTo(151);
    }
    Files.write(file, new byte[3]);
    open().close();
  }

  @Test
  void revisionsThatWereReservedAreNotUsedAgain() throws IOException, StoreException {
    try (RocksEngine engine = RocksEngine.open(directory)) {
      engine.append(List.of(written("a", 2, new byte[1])));
      engine.reserve(1000);
    }
    try (Store store = open()) {
      assertThat(store.revision()).isEqualTo(1000);
      store.put("b", new byte[1], Precondition.absent());
      loop.runAll();
    }
    try (Store store = open()) {
      assertThat(store.revision()).isEqualTo(1001);
      assertThat(store.list("").entries()).extracting(Entry::key).containsExactly("a", "b");
    }
  }

  private void fillLog() throws IOException, StoreException {
    try (Store store = open()) {
      for (int i = 0; i < 150; i++) {
        store.put("k" + i, new byte[100], Precondition.absent());
        loop.runAll();
      }
    }
  }

  private void assertRefused() throws IOException {
    try (RocksEngine engine = RocksEngine.open(directory)) {
      assertThatThrownBy(() -> engine.readBack(_ -> {}))
          .isInstanceOf(IOException.class)
          .message()
          .startsWith("revision 151 was on disk, but ")
          .contains("Restore a backup")
          .endsWith("delete " + directory.resolve(SyncedRevision.FILE))
          .doesNotContain("\n");
    }
  }

  @Test
  void aFailureThatAnotherThreadKnowsMoreAboutNamesTheDisk() {
    assertThat(RocksEngine.reason("Writer has previous error."))
        .isEqualTo("an earlier write failed; the disk may be full");
    assertThat(RocksEngine.reason("While appending: No space left on device\nmore"))
        .isEqualTo("While appending: No space left on device");
  }

  @Test
  void anEngineThatIsOpenAlreadyIsRefusedInOneLine() throws IOException {
    try (RocksEngine engine = RocksEngine.open(directory)) {
      assertThat(engine.readBack(_ -> {})).isZero();
      assertThatThrownBy(() -> RocksEngine.open(directory))
          .isInstanceOf(IOException.class)
          .message()
          .doesNotContain("\n")
          .contains("lock");
    }
  }

  @Test
  void aDamagedEngineIsRefusedInOneLine() throws IOException {
    RocksEngine.open(directory).close();
    Files.writeString(directory.resolve("CURRENT"), "nonsense");
    assertThatThrownBy(() -> RocksEngine.open(directory))
        .isInstanceOf(IOException.class)
        .message()
        .isNotBlank()
        .doesNotContain("\n");
  }

  @Test
  void theLibraryIsUnpackedOnce() throws IOException {
    RocksLibrary.unpackInto(directory);
    Path library = directory.resolve(RocksLibrary.fileName());
    assertThat(Files.size(library)).isGreaterThan(1 << 20);

    Files.writeString(library, "untouched");
    RocksLibrary.unpackInto(directory);
    assertThat(library).hasContent("untouched");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(library);
    }
  }

  private Store open() throws IOException, StoreException {
    return Store.open(RocksEngine.open(directory), loop, StoreOptions.defaults());
  }

  private void truncateLog(Random random) throws IOException {
    try (var files = Files.newDirectoryStream(directory, "*.log")) {
      for (Path log : files) {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
          channel.truncate(random.nextLong(channel.size()));
        }
      }
    }
  }

  private static void change(Store store, Random random, Map<String, byte[]> expected) {
    String key = "k" + random.nextInt(100);
    if (expected.containsKey(key) && random.nextBoolean()) {
      store.delete(key, Precondition.any());
      expected.remove(key);
    } else {
      byte[] value = new byte[random.nextInt(3000)];
      random.nextBytes(value);
      store.put(key, value, Precondition.any());
      expected.put(key, value);
    }
  }

  private static void assertSame(Store store, Map<String, byte[]> expected) {
    List<Entry> entries = store.list("").entries();
    assertThat(entries).hasSize(expected.size());
    assertThat(entries)
        .allSatisfy(entry -> assertThat(entry.value()).isEqualTo(expected.get(entry.key())));
  }
}
