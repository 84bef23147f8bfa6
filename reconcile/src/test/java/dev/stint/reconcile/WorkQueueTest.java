package dev.stint.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.harness.TestWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final int WIDTH = 2;

  private final TestWorld world = new TestWorld();
  private final List<String> started = new ArrayList<>();
  private final Map<String, CompletableFuture<@Nullable Void>> busy = new LinkedHashMap<>();
  private final Counts counts = new Counts();
  private final WorkQueue<String> queue =
      new WorkQueue<>("test", world.eventLoop, counts, WIDTH, this::work);

  private static final class Counts implements QueueMetrics {
    private int added;
    private int begun;
    private int done;
    private int retried;
    private int dropped;

    @Override
    public void onAdd() {
      added++;
    }

    @Override
    public void onStart(Object key, Duration waited) {
      begun++;
    }

    @Override
    public void onDone(Object key, Duration worked) {
      done++;
    }

    @Override
    public void onDrop(int count) {
      dropped += count;
    }

    @Override
    public void onRetry() {
      retried++;
    }
  }

  private CompletableFuture<@Nullable Void> work(String key) {
    started.add(key);
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    busy.put(key, done);
    return done;
  }

  private CompletableFuture<@Nullable Void> take(String key) {
    return Objects.requireNonNull(busy.remove(key));
  }

  private void succeed(String key) {
    take(key).complete(null);
    world.settle();
  }

  private void fail(String key) {
    take(key).completeExceptionally(new ClusterException(Reason.UNAVAILABLE, "away"));
    world.settle();
  }

  private void add(String... keys) {
    List.of(keys).forEach(queue::add);
    world.settle();
  }

  @Test
  void nothingIsWorkedOnBeforeTheQueueIsOpen() {
    add("a");
    assertThat(started).isEmpty();
    queue.open();
    world.settle();
    assertThat(started).containsExactly("a");
  }

  @Test
  void aKeyWaitsOnceHoweverOftenItIsAdded() {
    add("a", "a");
    queue.open();
    world.settle();
    succeed("a");
    assertThat(started).containsExactly("a");
    assertThat(counts.added).isEqualTo(1);
  }

  @Test
  void aSuccessEndsTheBackoff() {
    queue.open();
    add("a");
    for (int i = 0; i < 8; i++) {
      fail("a");
      world.pass(Duration.ofSeconds(20));
    }
    succeed("a");
    add("a");
    started.clear();
    fail("a");
    world.pass(Duration.ofMillis(100));
    assertThat(started).as("eight failures wait for seconds, one does not").containsExactly("a");
  }

  @Test
  void aKeyThatIsAddedWhileItIsBusyIsWorkedOnOnceMore() {
    queue.open();
    add("a");
    add("a", "a");
    assertThat(started).containsExactly("a");
    succeed("a");
    assertThat(started).containsExactly("a", "a");
    succeed("a");
    assertThat(started).hasSize(2);
    assertThat(counts.begun).isEqualTo(counts.added).isEqualTo(counts.done).isEqualTo(2);
  }

  @Test
  void theNumberOfConcurrentKeysIsLimitedAndOthersWaitInOrder() {
    queue.open();
    add("a", "b", "c", "d");
    assertThat(started).containsExactly("a", "b");
    succeed("b");
    succeed("a");
    assertThat(started).containsExactly("a", "b", "c", "d");
  }

  @Test
  void failedWorkIsRetriedAfterGrowingDelays() {
    queue.open();
    add("a");
    fail("a");
    world.pass(Duration.ofMillis(4));
    assertThat(started).hasSize(1);
    world.pass(Duration.ofMillis(6));
    assertThat(started).hasSize(2);
    fail("a");
    world.pass(Duration.ofMillis(9));
    assertThat(started).hasSize(2);
    world.pass(Duration.ofMillis(11));
    assertThat(started).hasSize(3);
    assertThat(counts.retried).isEqualTo(2);
  }

  @Test
  void aKeyThatIsAddedDuringALongBackoffWaitsForASecondAtMost() {
    queue.open();
    add("a");
    for (int failures = 0; failures < 12; failures++) {
      fail("a");
      world.pass(failures < 11 ? Duration.ofSeconds(10) : Duration.ZERO);
    }
    int before = started.size();
    add("a");
    world.pass(Duration.ofMillis(999));
    assertThat(started).hasSize(before);
    world.pass(Duration.ofMillis(1));
    assertThat(started).hasSize(before + 1);
    succeed("a");
    world.pass(Duration.ofMinutes(1));
    assertThat(started).hasSize(before + 1);
    assertThat(counts.added).isEqualTo(counts.begun);
  }

  @Test
  void aKeyIsWorkedOnWhenItIsDue() {
    queue.open();
    queue.addAt("a", world.now().plusSeconds(60));
    world.pass(Duration.ofSeconds(59));
    assertThat(started).isEmpty();
    world.pass(Duration.ofSeconds(1));
    assertThat(started).containsExactly("a");
  }

  @Test
  void aForgottenKeyIsNeverDue() {
    queue.open();
    queue.addAt("a", world.now().plusSeconds(60));
    queue.forget("a");
    world.pass(Duration.ofMinutes(2));
    assertThat(started).isEmpty();
    assertThat(world.time.armed()).isZero();
  }

  @Test
  void aKeyThatIsForgottenWhileItWaitsInItsBackoffIsNotLost() {
    queue.open();
    add("a");
    fail("a");
    add("a");
    queue.forget("a");
    world.settle();
    assertThat(started).containsExactly("a", "a");
    succeed("a");
    add("a");
    assertThat(started).hasSize(3);
  }

  @Test
  void aClockThatIsSetBackDoesNotProlongABackoff() {
    queue.open();
    add("a");
    fail("a");
    world.time.set(world.now().minusSeconds(3600));
    add("a");
    assertThat(started).containsExactly("a", "a");
  }

  /** Returns a queue whose clock is ahead of its timers, or behind them. */
  private WorkQueue<String> openQueue(Duration[] ahead) {
    WorkQueue<String> open =
        new WorkQueue<>(
            "test",
            new EventLoop(
                world, () -> world.now().plus(ahead[0]), world.time, world.time, new Random(1)),
            counts,
            WIDTH,
            this::work);
    open.open();
    return open;
  }

  @Test
  void workThatFailedIsRetriedThoughTheClockIsSetBackAndNobodyAddsIt() {
    Duration[] ahead = {Duration.ZERO};
    openQueue(ahead).add("a");
    world.settle();
    fail("a");
    ahead[0] = Duration.ofHours(-1);
    world.pass(Duration.ofSeconds(10));
    assertThat(started).containsExactly("a", "a");
  }

  @Test
  void aKeyIsDueOnceAfterTheTimeThatWasLeftWhenTheClockIsSetBack() {
    Duration[] ahead = {Duration.ZERO};
    WorkQueue<String> open = openQueue(ahead);
    open.addAt("a", world.now().plusSeconds(60));
    ahead[0] = Duration.ofHours(-8);
    world.pass(Duration.ofSeconds(60));
    assertThat(started).isEmpty();
    world.pass(DueKeys.SLACK);
    succeed("a");
    ahead[0] = Duration.ZERO;
    world.pass(Duration.ofHours(9));
    assertThat(started).containsExactly("a");
  }

  @Test
  void aForgottenKeyIsNotDueByAnyClock() {
    WorkQueue<String> open = openQueue(new Duration[] {Duration.ZERO});
    open.addAt("a", world.now().plusSeconds(60));
    open.forget("a");
    world.pass(Duration.ofHours(1));
    assertThat(started).isEmpty();
    open.addAt("b", world.now().plusSeconds(60));
    open.close();
    assertThat(world.time.armed()).isZero();
  }

  @Test
  void keysThatWaitLeaveAClosedQueue() {
    add("a", "b");
    queue.close();
    queue.close();
    assertThat(counts.dropped).isEqualTo(2);
  }

  @Test
  void aWorkerThatThrowsIsRetriedLikeOneThatFails() {
    List<String> tried = new ArrayList<>();
    WorkQueue<String> faulty =
        new WorkQueue<>(
            "faulty",
            world.eventLoop,
            QueueMetrics.NONE,
            WIDTH,
            key -> {
              tried.add(key);
              throw new IllegalStateException("a fault");
            });
    faulty.open();
    faulty.add("a");
    world.pass(Duration.ofMillis(10));
    assertThat(tried).containsExactly("a", "a");
  }

  @Test
  void aClosedQueueStartsNothing() {
    queue.open();
    add("a");
    queue.close();
    add("b", "a");
    fail("a");
    world.pass(Duration.ofMinutes(1));
    assertThat(started).containsExactly("a");
  }
}
