package dev.stint.embedded.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PacedRequestsTest {
  private final SequencedMap<Duration, Runnable> tasks = new TreeMap<>();
  private final Timers timers =
      (delay, task) -> {
        tasks.put(delay, task);
        return () -> {};
      };
  private final List<String> sent = new ArrayList<>();

  private CompletableFuture<@Nullable Void> send(boolean succeeds) {
    return PacedRequests.each(
        List.of("a", "b", "c"),
        Duration.ofMillis(20),
        timers,
        name -> {
          sent.add(name);
          return succeeds
              ? CompletableFuture.completedFuture(name)
              : CompletableFuture.failedFuture(new IllegalStateException(name));
        });
  }

  @Test
  void requestsAreSentAfterEvenGaps() {
    CompletableFuture<@Nullable Void> all = send(true);
    assertThat(tasks.keySet())
        .containsExactly(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(40));
    assertThat(sent).isEmpty();
    tasks.values().forEach(Runnable::run);
    assertThat(sent).containsExactly("a", "b", "c");
    assertThat(all).isCompleted();
  }

  @Test
  void noneIsSentAfterOneThatFailed() {
    CompletableFuture<@Nullable Void> all = send(false);
    tasks.firstEntry().getValue().run();
    assertThat(all).isCompletedExceptionally();
    tasks.values().forEach(Runnable::run);
    assertThat(sent).containsExactly("a");
  }
}
