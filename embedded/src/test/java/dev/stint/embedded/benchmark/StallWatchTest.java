package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.cluster.ClusterException;
import dev.stint.harness.TestTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StallWatchTest {
  private final TestTime time = new TestTime();
  private final AtomicLong progress = new AtomicLong();
  private final List<String> told = new ArrayList<>();

  private StallWatch watch(CompletableFuture<String> situation) {
    StallWatch watch =
        new StallWatch(time, Duration.ofSeconds(60), progress::get, () -> situation, told::add);
    watch.start();
    return watch;
  }

  @Test
  void itGivesUpOnlyWhenNothingHappens() {
    StallWatch watch = watch(CompletableFuture.completedFuture("no pods exist"));
    for (int i = 0; i < 3; i++) {
      progress.incrementAndGet();
      time.advance(Duration.ofSeconds(50));
      assertThat(watch.stalled()).isNotDone();
    }
    time.advance(Duration.ofSeconds(60));
    assertThatThrownBy(watch.stalled()::join)
        .cause()
        .isInstanceOf(StalledException.class)
        .hasMessage("nothing has happened for 60 s: no pods exist");
  }

  @Test
  void itSaysWhatItWaitsForBeforeItGivesUp() {
    StallWatch watch = watch(CompletableFuture.completedFuture("no pods exist"));
    time.advance(Duration.ofSeconds(10));
    assertThat(told).containsExactly("nothing has happened for 10 s: no pods exist");
    time.advance(Duration.ofSeconds(40));
    assertThat(told).hasSize(1);
    assertThat(watch.stalled()).isNotDone();
  }

  @Test
  void itGivesUpEvenIfTheApiDoesNotAnswer() {
    StallWatch watch =
        watch(
            CompletableFuture.failedFuture(
                new ClusterException(ClusterException.Reason.UNAVAILABLE, "away")));
    time.advance(Duration.ofSeconds(60));
    assertThatThrownBy(watch.stalled()::join).hasMessageEndingWith("the API does not answer: away");
  }
}
