package dev.stint.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.store.engine.SimulatedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchTest {
  private static final StoreOptions SMALL =
      new StoreOptions(10, 1000, StoreOptions.Durability.STRICT);

  private final SimulatedEngine engine = new SimulatedEngine();
  private final ManualExecutor loop = new ManualExecutor();
  private final ManualExecutor watching = new ManualExecutor();
  private final Recorder recorder = new Recorder();

  @Test
  void tellsOfEachChangeWithWhatWasBefore() throws StoreException {
    Store store = open(SMALL);
    store.watch("a/", 1, watching, recorder);
    store.put("a/1", bytes(1), Precondition.any());
    store.put("a/1", bytes(1), Precondition.any());
    store.put("b/1", bytes(1), Precondition.any());
    store.delete("a/1", Precondition.any());
    runAll();

    assertThat(recorder.revisions()).containsExactly(2L, 3L, 5L);
    assertThat(recorder.batches).isOne();
    StoreEvent created = recorder.events.get(0);
    StoreEvent changed = recorder.events.get(1);
    StoreEvent deleted = recorder.events.get(2);
    assertThat(created.before()).isNull();
    assertThat(changed.before()).isSameAs(created.after());
    assertThat(deleted.before()).isSameAs(changed.after());
    assertThat(deleted.after()).isNull();
    assertThat(deleted.key()).isEqualTo("a/1");
  }

  @Test
  void tellsOfALastValueBeforeItsDeletion() throws StoreException {
    Store store = open(SMALL);
    store.put("a/1", bytes(1), Precondition.any());
    store.watch("a/", 2, watching, recorder);
    byte[] last = {7};
    CompletableFuture<Long> deletion = store.delete("a/1", last, Precondition.revision(2));
    CompletableFuture<Long> late = store.delete("a/1", last, Precondition.revision(2));
    runAll();

    assertThat(deletion).isCompletedWithValue(4L);
    assertThat(late).isCompletedExceptionally();
    assertThat(recorder.revisions()).containsExactly(3L, 4L);
    Entry told = Objects.requireNonNull(recorder.events.getFirst().after());
    assertThat(told.value()).isEqualTo(last);
    assertThat(recorder.events.getLast().before()).isSameAs(told);
    assertThat(store.get("a/1")).isNull();
  }

  @Test
  void startsAtAnOlderRevisionThatIsStillHeld() throws StoreException {
    Store store = open(SMALL);
    write(store, "a", 8);
    store.watch("a", 5, watching, recorder);
    runAll();
    assertThat(recorder.revisions()).containsExactly(6L, 7L, 8L, 9L);
  }

  @Test
  void tellsOnceARevisionIsForgotten() throws StoreException {
    Store store = open(SMALL);
    List<String> told = new ArrayList<>();
    store.onForgotten(1, watching, () -> told.add("1"));
    store.onForgotten(2, watching, () -> told.add("2"));
    store.onForgotten(2, watching, () -> told.add("2 again"));
    store.onForgotten(2, watching, () -> told.add("never")).run();
    write(store, "a", 10);
    runAll();
    assertThat(told).as("all ten events are held").isEmpty();
    write(store, "a", 1);
    runAll();
    assertThat(told).containsExactly("1");
    write(store, "a", 5);
    runAll();
    assertThat(told).containsExactlyInAnyOrder("1", "2", "2 again");
    store.onForgotten(3, watching, () -> told.add("3")).run();
    assertThat(told).as("tells on its executor").hasSize(3);
    runAll();
    assertThat(told).hasSize(4);
  }

  @Test
  void startsAtANewerRevisionToo() throws StoreException {
    Store store = open(SMALL);
    store.watch("a", 4, watching, recorder);
    write(store, "a", 5);
    runAll();
    assertThat(recorder.revisions()).containsExactly(5L, 6L);
  }

  @Test
  void revisionsThatAreNoLongerHeldAreRefused() throws StoreException {
    Store store = open(SMALL);
    write(store, "a", 11);
    assertThatThrownBy(() -> store.watch("a", 1, watching, recorder))
        .isInstanceOf(CompactedException.class)
        .hasMessage(
            "events after revision 1 are no longer held; the oldest revision to watch from is 2");
    store.watch("a", 2, watching, recorder);
    runAll();
    assertThat(recorder.events).hasSize(10);
  }

  @Test
  void theLogHoldsNoMoreBytesThanAllowed() throws StoreException {
    Store store = open(SMALL);
    store.put("a", bytes(900), Precondition.any());
    runAll();
    store.put("b", bytes(400), Precondition.any());
    runAll();
    assertThatThrownBy(() -> store.watch("", 1, watching, recorder))
        .isInstanceOf(CompactedException.class);
    store.put("c", bytes(5000), Precondition.any());
    runAll();
    store.watch("", 3, watching, recorder);
    runAll();
    assertThat(recorder.revisions()).containsExactly(4L);
  }

  @Test
  void anOlderRevisionIsRefusedAfterReopening() throws StoreException {
    Store store = open(SMALL);
    write(store, "a", 3);
    store.close();
    Store again = open(SMALL);
    assertThatThrownBy(() -> again.watch("a", 3, watching, recorder))
        .isInstanceOf(CompactedException.class);
    again.watch("a", 4, watching, recorder);
    write(again, "a", 1);
    runAll();
    assertThat(recorder.revisions()).containsExactly(5L);
  }

  @Test
  void aSlowWatchIsToldOnceAndGetsNothingMore() throws StoreException {
    Store store = open(SMALL);
    store.watch("a", 1, watching, recorder);
    write(store, "a", 30);
    assertThat(watching.waiting()).isOne();
    runAll();
    write(store, "a", 3);
    runAll();
    assertThat(recorder.compactions).isOne();
    assertThat(recorder.events).isEmpty();
    assertThat(watching.waiting()).isZero();
  }

  @Test
  void anIdleWatchNeverFallsBehind() throws StoreException {
    Store store = open(SMALL);
    Subscription watch = store.watch("a", 1, watching, recorder);
    write(store, "b", 100);
    assertThat(watching.waiting()).isZero();
    assertThat(watch.revision()).isEqualTo(101);
    write(store, "a", 1);
    assertThat(watch.revision()).isEqualTo(101);
    runAll();
    assertThat(recorder.revisions()).containsExactly(102L);
    assertThat(watch.revision()).isEqualTo(102);
  }

  @Test
  void aClosedWatchGetsNothingMore() throws StoreException {
    Store store = open(SMALL);
    Subscription watch = store.watch("a", 1, watching, recorder);
    write(store, "a", 1);
    watch.close();
    runAll();
    write(store, "a", 20);
    runAll();
    assertThat(recorder.events).isEmpty();
    assertThat(recorder.compactions).isZero();
  }

  @Test
  void aListenerThatFailsMustListAgain() throws StoreException {
    Store store = open(SMALL);
    store.watch(
        "a",
        1,
        watching,
        new Store.Listener() {
          @Override
          public void events(List<StoreEvent> batch) {
            throw new IllegalStateException("as planned");
          }

          @Override
          public void compacted() {
            recorder.compacted();
          }
        });
    write(store, "a", 1);
    runAll();
    write(store, "a", 1);
    runAll();
    assertThat(recorder.compactions).isOne();
    assertThat(store.revision()).isEqualTo(3);
  }

  @Test
  void anExecutorThatHasShutDownEndsItsWatchOnly() throws StoreException {
    Store store = open(SMALL);
    store.watch(
        "a",
        1,
        _ -> {
          throw new RejectedExecutionException();
        },
        recorder);
    store.watch("a", 1, watching, recorder);
    write(store, "a", 2);
    runAll();
    assertThat(recorder.revisions()).containsExactly(2L, 3L);
  }

  @Test
  void aWatchSeesWhatItIsToldOf() throws StoreException {
    Store store = open(StoreOptions.defaults());
    store.watch(
        "a",
        1,
        watching,
        new Store.Listener() {
          @Override
          public void events(List<StoreEvent> batch) {
            assertThat(store.revision()).isGreaterThanOrEqualTo(batch.getLast().revision());
            recorder.events(batch);
          }

          @Override
          public void compacted() {
            recorder.compacted();
          }
        });
    write(store, "a", 3000);
    runAll();
    assertThat(recorder.compactions).isZero();
    assertThat(recorder.revisions()).isEqualTo(LongStream.rangeClosed(2, 3001).boxed().toList());
  }

  @Test
  void aListenerHoldsFewLargeEvents() throws StoreException {
    Store store = open(StoreOptions.defaults());
    for (int i = 0; i < 12; i++) {
      byte[] large = new byte[1 << 20];
      new Random(i).nextBytes(large);
      store.put("a/" + i, large, Precondition.any());
    }
    loop.runAll();
    store.watch("a/", 1, watching, recorder);
    runAll();
    assertThat(recorder.events).hasSize(12);
    assertThat(recorder.batches).isEqualTo(3);
  }

  @Test
  void watchesMissNothingWhileManyThreadsWrite() throws Exception {
    int writers = 4;
    int writes = 2000;
    try (ExecutorService sequencer = Executors.newSingleThreadExecutor();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Store store = Store.open(engine, sequencer, StoreOptions.defaults())) {
      CountDownLatch seen = new CountDownLatch(writers * writes);
      Recorder early = watch(store, seen);
      for (int writer = 0; writer < writers; writer++) {
        String key = "a/" + writer;
        threads.execute(() -> {
          for (int i = 0; i < writes; i++) {
            store.put(key, bytes(1), Precondition.any()).join();
            assertConsistent(store.list(""));
          }
        });
      }
      seen.await();
      assertThat(early.revisions())
          .isEqualTo(LongStream.rangeClosed(2, 1 + writers * writes).boxed().toList());
      assertThat(engine.syncs()).isBetween(1L, store.revision() - 1);
    }
  }

  private static Recorder watch(Store store, CountDownLatch seen) throws CompactedException {
    Recorder taken = new Recorder();
    store.watch(
        "a/",
        1,
        task -> Thread.ofVirtual().start(task),
        new Store.Listener() {
          @Override
          public void events(List<StoreEvent> batch) {
            taken.events(batch);
            batch.forEach(_ -> seen.countDown());
          }

          @Override
          public void compacted() {
            throw new AssertionError("fell behind");
          }
        });
    return taken;
  }

  /**
   * Every revision belongs to one write, so the newest entry has the revision of the whole list.
   */
  private static void assertConsistent(Snapshot list) {
    long newest = list.entries().stream().mapToLong(Entry::revision).max().orElse(1);
    assertThat(newest).isEqualTo(list.revision());
  }

  private Store open(StoreOptions options) throws StoreException {
    return Store.open(engine, loop, options);
  }

  private void write(Store store, String key, int times) {
    for (int i = 0; i < times; i++) {
      store.put(key, bytes(1), Precondition.any());
    }
    loop.runAll();
  }

  private void runAll() {
    loop.runAll();
    watching.runAll();
  }

  private static byte[] bytes(int size) {
    return new byte[size];
  }
}
