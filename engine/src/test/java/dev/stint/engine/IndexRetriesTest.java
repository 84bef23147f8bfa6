package dev.stint.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.covers.Covers;
import dev.stint.engine.pod.PodView;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.pod.PodPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The next try of an index that has several pods, since one was deleted and went on for a while.
 */
class IndexRetriesTest {
  private static final int INDEX = 3;

  private final EngineWorld world = new EngineWorld(TestJobs.job("{}"));
  private final IndexRetries retries =
      new IndexRetries(new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10)));

  /** Returns the pod of an attempt, which ends now, and lets a second pass. */
  private PodView ended(int attempt, PodPhase phase) {
    String uid = "pod-" + world.created;
    world.create(new PodPlan(INDEX, attempt, 0));
    world.finish(uid, phase);
    world.now = world.now.plusSeconds(1);
    return Objects.requireNonNull(world.pods.get(uid));
  }

  private void put(PodView... pods) {
    for (PodView pod : pods) {
      retries.put(pod, pod.phase() == PodPhase.Failed);
    }
  }

  /** Returns the failed pods that the index needs no longer. */
  private List<String> settled() {
    Map<String, Boolean> all = new HashMap<>();
    retries.forEachFailed(INDEX, (pod, isReplaced) -> all.put(pod.uid(), isReplaced));
    return all.keySet().stream().filter(all::get).toList();
  }

  @Test
  @Covers({"BI-17", "BI-30"})
  void itFollowsFromTheLastAttemptThoughAnEarlierOneEndsLater() {
    PodView second = ended(1, PodPhase.Failed);
    PodView first = ended(0, PodPhase.Failed);
    put(first, second);
    Instant due = second.finishTime().plusSeconds(20);
    assertThat(retries.inOrder()).containsExactly(new IndexRetries.Retry(INDEX, second, due));
    assertThat(settled()).containsExactly(first.uid());
  }

  @Test
  void thereIsNoneIfAnotherPodOfTheAttemptHasSucceeded() {
    PodView succeeded = ended(0, PodPhase.Succeeded);
    PodView failed = ended(0, PodPhase.Failed);
    put(succeeded, failed);
    assertThat(retries.inOrder()).isEmpty();
    assertThat(settled()).containsExactly(failed.uid());
  }

  @Test
  void thereIsOneIfOnlyAnEarlierAttemptHasSucceeded() {
    PodView succeeded = ended(0, PodPhase.Succeeded);
    PodView failed = ended(1, PodPhase.Failed);
    put(succeeded, failed);
    assertThat(retries.inOrder()).extracting(IndexRetries.Retry::failed).containsExactly(failed);
    assertThat(settled()).isEmpty();
  }

  @Test
  void aNewPodTakesThePlaceOfTheTry() {
    PodView failed = ended(0, PodPhase.Failed);
    put(failed, ended(1, PodPhase.Running));
    assertThat(retries.inOrder()).isEmpty();
    assertThat(settled()).containsExactly(failed.uid());
  }

  @Test
  void aChangedBackoffHoldsForIndexesThatWait() {
    PodView failed = ended(0, PodPhase.Failed);
    put(failed);
    retries.setBackoff(new ExponentialBackoff(Duration.ofSeconds(3), Duration.ofMinutes(1)));
    assertThat(retries.inOrder())
        .extracting(IndexRetries.Retry::due)
        .containsExactly(failed.finishTime().plusSeconds(3));
  }
}
