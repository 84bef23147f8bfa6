package dev.stint.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SerialExecutorTest {
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void tasksRunInOrderOnOneDaemonThread() {
    List<Thread> threads = new ArrayList<>();
    try (SerialExecutor executor = new SerialExecutor("one")) {
      for (int i = 0; i < 1000; i++) {
        int number = i;
        executor.execute(() -> {
          ran.add(number);
          threads.add(Thread.currentThread());
        });
      }
    }
    assertThat(ran).containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
    assertThat(threads)
        .allSatisfy(thread -> {
          assertThat(thread).isSameAs(threads.getFirst());
          assertThat(thread.getName()).isEqualTo("one");
          assertThat(thread.isDaemon()).isTrue();
        });
  }

  @Test
  void aTaskThatFailsOrIsInterruptedHoldsUpNoOther() throws Exception {
    try (SerialExecutor executor = new SerialExecutor("one")) {
      executor.execute(() -> {
        throw new AssertionError("of a test");
      });
      executor.execute(() -> Thread.currentThread().interrupt());
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      executor.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
      assertThat(interrupted.get()).as("a task that another one interrupted").isFalse();
    }
  }

  @Test
  void tasksAfterTheEndAreDropped() {
    SerialExecutor executor = new SerialExecutor("one");
    executor.execute(() -> ran.add(1));
    executor.close();
    executor.execute(() -> ran.add(2));
    executor.close();
    assertThat(ran).containsExactly(1);
    new SerialExecutor("never used").close();
  }

  @Test
  void aTaskThatIsDeferredWakesRunsThoughItsGiverNeverRests() throws Exception {
    try (SerialExecutor giver = new SerialExecutor("giver");
        SerialExecutor taker = new SerialExecutor("taker")) {
      awaitSleep(taker);
      CompletableFuture<Void> taken = new CompletableFuture<>();
      giver.execute(() -> taker.execute(() -> taken.complete(null)));
      workUntil(giver, taken);
      taken.get();
    }
  }

  @Test
  void aTaskThatHandsOnManyWakesTheTakerBeforeItEnds() throws Exception {
    CountDownLatch taken = new CountDownLatch(DeferredWakes.ENOUGH);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    try (SerialExecutor giver = new SerialExecutor("giver");
        SerialExecutor taker = new SerialExecutor("taker")) {
      awaitSleep(taker);
      giver.execute(() -> {
        for (int i = 0; i < DeferredWakes.ENOUGH; i++) {
          taker.execute(taken::countDown);
        }
        await(taken);
        ended.complete(null);
      });
      ended.get();
    }
  }

  @Test
  void executorsThatHandTasksToAndFroLoseNone() throws Exception {
    AtomicInteger left = new AtomicInteger(100_000);
    CompletableFuture<Void> over = new CompletableFuture<>();
    try (SerialExecutor one = new SerialExecutor("one");
        SerialExecutor other = new SerialExecutor("other")) {
      for (int i = 0; i < 3; i++) {
        one.execute(() -> pass(one, other, left, over));
      }
      over.get();
    }
  }

  private static void pass(
      SerialExecutor from, SerialExecutor to, AtomicInteger left, CompletableFuture<Void> over) {
    if (left.decrementAndGet() > 0) {
      to.execute(() -> pass(to, from, left, over));
    } else {
      over.complete(null);
    }
  }

  private static void workUntil(SerialExecutor executor, CompletableFuture<Void> done) {
    executor.execute(() -> {
      if (!done.isDone()) {
        workUntil(executor, done);
      }
    });
  }

  /** Waits until the thread of an executor sleeps. */
  private static void awaitSleep(SerialExecutor executor) throws Exception {
    Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, executor).get();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
