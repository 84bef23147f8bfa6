package dev.stint.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stint.store.engine.SimulatedEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreTest {
  private final SimulatedEngine engine = new SimulatedEngine();
  private final ManualExecutor loop = new ManualExecutor();
  private Store store = open();

  private Store open() {
    try {
      return Store.open(engine, loop, StoreOptions.defaults());
    } catch (StoreException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void seed() {
    store.put("there", bytes("one"), Precondition.absent());
    loop.runAll();
  }

  @Test
  void anEmptyStoreHasRevisionOne() throws StoreException {
    assertThat(Store.open(new SimulatedEngine(), loop, StoreOptions.defaults()).revision())
        .isEqualTo(1);
  }

  @Test
  void absentCreatesAMissingKeyOnly() {
    assertThat(put("new", Precondition.absent())).isNull();
    assertThat(current(put("there", Precondition.absent()))).isEqualTo(store.get("there"));
  }

  @Test
  void aRevisionMustBeTheOneOfTheKey() {
    assertThat(put("there", Precondition.revision(2))).isNull();
    assertThat(current(put("there", Precondition.revision(2)))).isEqualTo(store.get("there"));
    assertThat(current(put("missing", Precondition.revision(2)))).isNull();
  }

  @Test
  void anyWritesWhateverIsThere() {
    assertThat(put("there", Precondition.any())).isNull();
    assertThat(put("missing", Precondition.any())).isNull();
  }

  @Test
  void deletionsAskForTheirRevisionToo() {
    assertThat(current(delete("there", Precondition.revision(1)))).isEqualTo(store.get("there"));
    assertThat(current(delete("there", Precondition.absent()))).isEqualTo(store.get("there"));
    assertThat(delete("there", Precondition.revision(2))).isNull();
    assertThat(store.get("there")).isNull();
  }

  @Test
  void aMissingKeyCannotBeDeleted() {
    for (Precondition each :
        List.of(Precondition.any(), Precondition.absent(), Precondition.revision(2))) {
      assertThat(current(delete("missing", each))).isNull();
    }
    assertThat(store.revision()).isEqualTo(2);
  }

  @Test
  void aRefusalSaysWhatWasExpectedAndWhatIsThere() {
    assertThat(put("there", Precondition.revision(7)))
        .hasMessage("expected there to be at revision 7, but it is at revision 2");
    assertThat(delete("missing", Precondition.any()))
        .hasMessage("expected missing to be there, but it is missing");
  }

  @Test
  void keysOfTheEngineAreRefused() {
    assertThatThrownBy(() -> store.put("", bytes(""), Precondition.any()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.put("\0x", bytes(""), Precondition.any()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEntryKeepsItsCreationUntilItIsDeleted() {
    put("there", Precondition.any());
    assertThat(store.get("there"))
        .extracting(Entry::createRevision, Entry::revision)
        .containsExactly(2L, 3L);
    delete("there", Precondition.any());
    put("there", Precondition.any());
    assertThat(store.get("there"))
        .extracting(Entry::createRevision, Entry::revision)
        .containsExactly(5L, 5L);
  }

  @Test
  void writesThatWaitAreCheckedAgainstThoseBeforeThem() {
    CompletableFuture<Entry> first = store.put("k", bytes("a"), Precondition.absent());
    CompletableFuture<Entry> second = store.put("k", bytes("b"), Precondition.absent());
    CompletableFuture<Entry> third = store.put("k", bytes("c"), Precondition.revision(3));
    CompletableFuture<Long> fourth = store.delete("k", Precondition.revision(4));
    CompletableFuture<Long> fifth = store.delete("k", Precondition.any());
    loop.runAll();

    assertThat(first).isCompletedWithValueMatching(entry -> entry.revision() == 3);
    assertThat(second).isCompletedExceptionally();
    assertThat(third).isCompletedWithValueMatching(entry -> entry.createRevision() == 3);
    assertThat(fourth).isCompletedWithValue(5L);
    assertThat(fifth).isCompletedExceptionally();
  }

  @Test
  void manyWritesInFlightCostOneSync() {
    long before = engine.syncs();
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      store.put("k" + i, bytes("v"), Precondition.any()).thenRun(() -> order.add(number));
    }
    assertThat(loop.waiting()).isOne();
    loop.runAll();

    assertThat(engine.syncs() - before).isOne();
    assertThat(order).isEqualTo(IntStream.range(0, 100).boxed().toList());
    assertThat(store.revision()).isEqualTo(102);
  }

  @Test
  void relaxedDurabilityDoesNotSyncUntilItIsClosed() throws StoreException {
    SimulatedEngine relaxed = new SimulatedEngine();
    Store sut =
        Store.open(relaxed, loop, StoreOptions.defaults().with(StoreOptions.Durability.RELAXED));
    CompletableFuture<Entry> put = sut.put("k", bytes("v"), Precondition.any());
    loop.runAll();
    assertThat(put).isCompleted();
    assertThat(relaxed.syncs()).isZero();
    sut.close();
    assertThat(relaxed.syncs()).isOne();
  }

  @Test
  void nothingIsKnownBeforeItIsDurable() {
    CompletableFuture<Entry> put = store.put("k", bytes("v"), Precondition.any());
    assertThat(put).isNotDone();
    assertThat(store.get("k")).isNull();
    assertThat(store.revision()).isEqualTo(2);
  }

  @Test
  void aFullDiskStopsWritesButNotReads() {
    engine.fail("no space left on device");
    Throwable refusal = put("k", Precondition.any());
    assertThat(refusal)
        .isInstanceOf(UnavailableException.class)
        .hasMessage(
            "the store refuses writes until it is restarted, since it could not write to"
                + " disk: no space left on device");
    assertThat(put("there", Precondition.absent())).isInstanceOf(UnavailableException.class);
    assertThat(store.get("k")).isNull();
    assertThat(store.list("").entries()).hasSize(1);
  }

  @Test
  void anEngineThatCannotBeReadIsSaidSoAndClosed() {
    UnreadableEngine unreadable = new UnreadableEngine();
    assertThatThrownBy(() -> Store.open(unreadable, loop, StoreOptions.defaults()))
        .isInstanceOf(UnavailableException.class)
        .hasMessage("cannot read the store: damaged");
    assertThat(unreadable.closed).isTrue();
  }

  private static final class UnreadableEngine implements StorageEngine {
    boolean closed;

    @Override
    public void append(List<StoreEvent> batch) {
      throw new AssertionError();
    }

    @Override
    public void sync() {
      throw new AssertionError();
    }

    @Override
    public void reserve(long revision) {
      throw new AssertionError();
    }

    @Override
    public long readBack(Consumer<Entry> consumer) throws IOException {
      throw new IOException("damaged");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void closingRefusesWhatWaitsAndWhatComes() {
    CompletableFuture<Entry> waiting = store.put("k", bytes("v"), Precondition.any());
    store.close();
    store.close();
    assertThat(catchThrowable(waiting::join)).hasCauseInstanceOf(ClosedException.class);
    assertThat(put("k", Precondition.any())).isInstanceOf(ClosedException.class);
    assertThat(store.get("there")).isNotNull();
  }

  @Test
  void aLoopThatHasShutDownRefusesWrites() throws StoreException {
    Store sut =
        Store.open(
            new SimulatedEngine(),
            _ -> {
              throw new RejectedExecutionException();
            },
            StoreOptions.defaults());
    assertThat(catchThrowable(() -> sut.put("k", bytes("v"), Precondition.any()).join()))
        .hasCauseInstanceOf(ClosedException.class);
  }

  @Test
  void everythingIsThereAfterReopening() {
    put("a", Precondition.any());
    delete("a", Precondition.any());
    store.close();
    Store again = open();
    assertThat(again.revision()).isEqualTo(4);
    assertThat(again.list("").entries()).containsExactly(store.get("there"));
  }

  @Test
  void aListIsInKeyOrderAndOfItsPrefixOnly() {
    for (String key : List.of("b/2", "a/1", "b/1", "c", "b", "b0")) {
      put(key, Precondition.any());
    }
    assertThat(store.list("b/").entries()).extracting(Entry::key).containsExactly("b/1", "b/2");
    assertThat(store.list("b/").revision()).isEqualTo(8);
    assertThat(store.list("zz").entries()).isEmpty();
  }

  private @Nullable Throwable put(String key, Precondition precondition) {
    return refusal(store.put(key, bytes("value"), precondition));
  }

  private @Nullable Throwable delete(String key, Precondition precondition) {
    return refusal(store.delete(key, precondition));
  }

  private @Nullable Throwable refusal(CompletableFuture<?> future) {
    loop.runAll();
    assertThat(future).isDone();
    return future.isCompletedExceptionally() ? future.exceptionNow() : null;
  }

  private static @Nullable Entry current(@Nullable Throwable refusal) {
    assertThat(refusal).isInstanceOf(PreconditionFailedException.class);
    return refusal instanceof PreconditionFailedException failed ? failed.current() : null;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
