package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.Timers;
import dev.stint.jobs.Follower;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.PodPhase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The pods of Jobs whose command has gone without a word: they go on, and no new ones start. */
final class LeftPods implements Follower.Listener<String> {
  private final Set<String> running = new HashSet<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private boolean listed;

  private LeftPods() {}

  /**
   * Waits until all pods that run have ended.
   *
   * @return completes when they have; fails if the API cannot be read any more
   */
  static CompletableFuture<@Nullable Void> awaitEnd(
      Cluster cluster, List<JobClaim> left, Timers timers, RandomGenerator random) {
    Set<String> jobs = left.stream().map(JobClaim::key).collect(Collectors.toSet());
    LeftPods pods = new LeftPods();
    Follower<String> follower =
        new Follower<>(
            cluster,
            Kind.POD,
            null,
            timers,
            random,
            pod -> jobs.contains(JobClaim.keyOfPod(pod)) && runs(pod) ? pod.uid() : null,
            pods);
    follower.failure().thenAccept(pods.ended::completeExceptionally);
    follower
        .begin()
        .whenComplete((_, failure) -> {
          if (failure == null) {
            pods.onList();
          } else {
            pods.ended.completeExceptionally(failure);
          }
        });
    pods.ended.whenComplete((_, _) -> follower.close());
    return pods.ended;
  }

  /** True if the pod runs. A pod that waits is never started. */
  private static boolean runs(KubeObject pod) {
    return Json.text(pod.status(), "startTime") != null && !PodPhase.of(pod).isTerminal();
  }

  private synchronized void onList() {
    listed = true;
    completeIfNone();
  }

  @Override
  public synchronized void onUpdate(String pod) {
    running.add(pod);
  }

  @Override
  public synchronized void onDelete(String last) {
    running.remove(last);
    completeIfNone();
  }

  private void completeIfNone() {
    if (listed && running.isEmpty()) {
      ended.complete(null);
    }
  }
}
