package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stint.store.engine.SimulatedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Writes ahead of the disk: who sees them, and what happens to them if the disk fails. */
class AheadTest {
  private final SimulatedEngine engine = new SimulatedEngine();
  private final ManualExecutor loop = new ManualExecutor();
  private final ManualExecutor disk = new ManualExecutor();
  private final ManualExecutor watching = new ManualExecutor();
  private final Store store = open(StoreOptions.defaults());

  private Store open(StoreOptions options) {
    try {
      return Store.open(engine, loop, disk, options);
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWriteAheadIsAnsweredBeforeItIsDurable() {
    CompletableFuture<Entry> put = put(store.ahead(), "k");
    loop.runAll();
    assertThat(put).isCompleted();
    assertThat(store.ahead().get("k")).isEqualTo(put.join());
    assertThat(store.ahead().list("").revision()).isEqualTo(2);
    assertThat(engine.syncs()).isZero();
  }

  @Test
  void otherReadersLearnOfItOnceItIsDurable() {
    var _ = put(store.ahead(), "k");
    loop.runAll();
    assertThat(store.get("k")).isNull();
    assertThat(store.revision()).isEqualTo(1);
    disk.runAll();
    assertThat(store.get("k")).isNotNull();
    assertThat(store.list("")).isEqualTo(store.ahead().list(""));
  }

  @Test
  void otherWatchesHearOfItOnceItIsDurable() throws StoreException {
    List<String> early = watch(store.ahead());
    List<String> late = watch(store);
    var _ = put(store, "k");
    loop.runAll();
    watching.runAll();
    assertThat(early).containsExactly("k");
    assertThat(late).isEmpty();
    disk.runAll();
    watching.runAll();
    assertThat(late).containsExactly("k");
    assertThat(early).hasSize(1);
  }

  @Test
  void aWatchHearsOfWhatIsNotDurableYetAlsoIfItComesLater() throws StoreException {
    var _ = put(store, "k");
    loop.runAll();
    List<String> early = watch(store.ahead());
    List<String> late = watch(store);
    watching.runAll();
    assertThat(early).containsExactly("k");
    assertThat(late).isEmpty();
    disk.runAll();
    watching.runAll();
    assertThat(late).containsExactly("k");
  }

  @Test
  void aWatchOfWhatIsDurableMissesNothingWhileMuchWaitsForTheDisk() throws StoreException {
    Store small = open(new StoreOptions(1000, 20, StoreOptions.Durability.STRICT));
    List<String> seen = watch(small);
    for (String key : List.of("a", "b", "c", "d", "e")) {
      var _ = put(small.ahead(), key);
      loop.runAll();
    }
    List<String> late = watch(small);
    disk.runAll();
    watching.runAll();
    assertThat(seen).containsExactly("a", "b", "c", "d", "e");
    assertThat(late).containsExactlyElementsOf(seen);
  }

  @Test
  void theLogGoesOnWhileTheDiskIsWaitedFor() {
    CompletableFuture<Entry> first = put(store, "a");
    loop.runAll();
    CompletableFuture<Entry> second = put(store, "b");
    loop.runAll();
    assertThat(engine.appends()).isEqualTo(2);
    assertThat(first).isNotDone();
    assertThat(disk.step()).isTrue();
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
    assertThat(engine.syncs()).isOne();
  }

  @Test
  void aRefusalThatRestsOnWhatIsNotDurableWaitsForIt() {
    var _ = put(store.ahead(), "k");
    loop.runAll();
    CompletableFuture<Entry> again = store.put("k", new byte[1], Precondition.absent());
    loop.runAll();
    assertThat(again).isNotDone();
    disk.runAll();
    assertThat(catchThrowable(again::join)).hasCauseInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void whatFailsToBecomeDurableIsRefusedAndAllThatComesAfterIt() {
    CompletableFuture<Entry> early = put(store.ahead(), "a");
    CompletableFuture<Entry> late = put(store, "b");
    loop.runAll();
    engine.fail("no space left on device");
    disk.runAll();
    assertThat(early).isCompleted();
    assertThat(catchThrowable(late::join)).hasCauseInstanceOf(UnavailableException.class);
    assertThat(store.failure()).isCompleted();
    assertThat(store.get("a")).isNull();
    CompletableFuture<Entry> next = put(store.ahead(), "c");
    loop.runAll();
    assertThat(catchThrowable(next::join)).hasCauseInstanceOf(UnavailableException.class);
  }

  @Test
  void theLogDoesNotRunAwayFromADiskThatIsSlow() {
    List<CompletableFuture<Entry>> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      writes.add(put(store.ahead(), "k" + i));
      loop.runAll();
    }
    assertThat(engine.appends()).isEqualTo(16);
    while (disk.step() || loop.step()) {
      // until nothing waits
    }
    assertThat(writes).allMatch(CompletableFuture::isDone);
    assertThat(store.list("").entries()).hasSize(100);
  }

  @Test
  void closingWaitsForWhatIsNotDurableYet() {
    CompletableFuture<Entry> put = put(store, "k");
    loop.runAll();
    store.close();
    assertThat(put).isCompleted();
    assertThat(engine.syncs()).isOne();
  }

  @Test
  void anEarlierStateIsThereAheadToo() throws StoreException {
    var _ = put(store.ahead(), "a");
    var _ = put(store.ahead(), "b");
    loop.runAll();
    assertThat(store.ahead().list("", 2).entries()).extracting(Entry::key).containsExactly("a");
  }

  private static CompletableFuture<Entry> put(StoreView view, String key) {
    return view.put(key, "value".getBytes(UTF_8), Precondition.any());
  }

  private List<String> watch(StoreView view) throws StoreException {
    List<String> seen = new ArrayList<>();
    var _ =
        view.watch(
            "",
            1,
            watching,
            new Store.Listener() {
              @Override
              public void events(List<StoreEvent> batch) {
                batch.forEach(event -> seen.add(event.key()));
              }

              @Override
              public void compacted() {
                throw new AssertionError();
              }
            });
    return seen;
  }
}
