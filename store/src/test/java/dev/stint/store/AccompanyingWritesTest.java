package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stint.store.engine.SimulatedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Other keys change together with a write, or the write is refused. */
class AccompanyingWritesTest {
  private static final int LIMIT = 3;

  /** Counts writes in a key of its own, up to a limit. */
  private static final AccompanyingWrites COUNTING =
      entries -> {
        Entry counter = entries.get("counter");
        int count = counter == null ? 0 : Integer.parseInt(new String(counter.value(), UTF_8));
        if (count == LIMIT) {
          throw new RefusedException("full");
        }
        return Map.of("counter", bytes(Integer.toString(count + 1)));
      };

  private final SimulatedEngine engine = new SimulatedEngine();
  private final ManualExecutor loop = new ManualExecutor();
  private final Store store = open(engine);

  private Store open(SimulatedEngine on) {
    try {
      return Store.open(on, loop, StoreOptions.defaults());
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void oneBatchOfWritesNeverExceedsTheLimit() {
    List<CompletableFuture<Entry>> writes =
        IntStream.range(0, 10)
            .mapToObj(i -> store.put("k" + i, bytes("v"), Precondition.absent(), COUNTING))
            .toList();
    loop.runAll();
    assertThat(store.list("k").entries()).hasSize(LIMIT);
    assertThat(writes.subList(0, LIMIT)).allMatch(write -> !write.isCompletedExceptionally());
    assertThat(writes.subList(LIMIT, 10))
        .allSatisfy(write ->
            assertThat(catchThrowable(write::join))
                .hasCauseInstanceOf(RefusedException.class)
                .hasMessageContaining("full"));
  }

  @Test
  void bothSurviveARestart() throws StoreException {
    var _ = store.put("k", bytes("v"), Precondition.absent(), COUNTING);
    loop.runAll();
    Store again = Store.open(engine.crash(new SplittableRandom(1)), loop, StoreOptions.defaults());
    assertThat(again.list("").entries().stream().map(Entry::key)).containsExactly("counter", "k");
  }

  @Test
  void aWriteThatFailsChangesNothingElse() {
    CompletableFuture<Entry> write = store.put("k", bytes("v"), Precondition.revision(9), COUNTING);
    loop.runAll();
    assertThat(catchThrowable(write::join)).hasCauseInstanceOf(PreconditionFailedException.class);
    assertThat(store.get("counter")).isNull();
    assertThat(store.revision()).isEqualTo(1);
  }

  @Test
  void aFaultInTheDecisionRefusesThatWriteAlone() {
    CompletableFuture<Entry> faulty =
        store.put(
            "a",
            bytes("v"),
            Precondition.any(),
            _ -> {
              throw new IllegalStateException("oops");
            });
    CompletableFuture<Entry> sound = store.put("b", bytes("v"), Precondition.any());
    loop.runAll();
    assertThat(catchThrowable(faulty::join))
        .hasCauseInstanceOf(RefusedException.class)
        .hasMessageContaining("oops");
    assertThat(sound).isCompleted();
    assertThat(store.failure()).isNotDone();
  }

  @Test
  void watchesSeeTheAccompanyingWriteFirst() throws StoreException {
    ManualExecutor watching = new ManualExecutor();
    List<String> seen = new ArrayList<>();
    var _ =
        store.watch(
            "",
            1,
            watching,
            new Store.Listener() {
              @Override
              public void events(List<StoreEvent> batch) {
                batch.forEach(event -> seen.add(event.revision() + " " + event.key()));
              }

              @Override
              public void compacted() {
                seen.add("compacted");
              }
            });
    var _ = store.put("k", bytes("v"), Precondition.absent(), COUNTING);
    var _ = store.delete("k", bytes("last"), Precondition.any(), COUNTING);
    loop.runAll();
    watching.runAll();
    assertThat(seen).containsExactly("2 counter", "3 k", "4 counter", "5 k", "6 k");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
