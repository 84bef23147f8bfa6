package dev.stint.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MergedRunsTest {
  private static final int REQUESTS = 20;

  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void eachRequestRunsTheTaskIfItIsQuick() {
    MergedRuns merged = new MergedRuns(runs::incrementAndGet);
    merged.run();
    merged.run();
    assertThat(runs).hasValue(2);
  }

  @Test
  void oneThreadAtMostWaitsForARunThatTakesLong() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(REQUESTS - 1);
    MergedRuns merged =
        new MergedRuns(() -> {
          runs.incrementAndGet();
          begun.countDown();
          await(mayEnd);
        });
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      threads.execute(merged);
      begun.await();
      for (int i = 0; i < REQUESTS; i++) {
        threads.execute(() -> {
          merged.run();
          answered.countDown();
        });
      }
      answered.await();
      assertThat(runs).hasValue(1);
      mayEnd.countDown();
    }
    assertThat(runs).as("the last request is not lost").hasValue(2);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }
}
