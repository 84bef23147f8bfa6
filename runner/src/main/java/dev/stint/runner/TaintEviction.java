package dev.stint.runner;

import dev.stint.runner.status.PodStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Evicts pods that run under a NoExecute taint of the node, after the time for which they tolerate
 * it ("Taints and Tolerations", taint based evictions). On the loop only.
 */
final class TaintEviction {
  /**
   * A planned eviction.
   *
   * @param since the time when the pod was first found under such a taint
   */
  private record Planned(Instant since, Duration patience, Runnable cancel) {}

  private final NodePorts node;
  private final NodeWatch watch;
  private final Map<String, Planned> planned = new HashMap<>();

  TaintEviction(NodePorts node, NodeWatch watch) {
    this.node = node;
    this.watch = watch;
  }

  /** Called when the node changed. */
  void update(Collection<PodLife> lives) {
    lives.forEach(life -> life.guard(() -> update(life)));
  }

  /** Called when a pod began to run, or its node changed. */
  void update(PodLife life) {
    Optional<Duration> patience = life.isRunning() ? watch.patience(life.pod()) : Optional.empty();
    Planned before = planned.get(life.uid());
    if (patience.isEmpty()) {
      if (before != null) {
        forget(life.uid());
        node.events().evictionCancelled(life.pod());
      }
    } else if (before == null || !before.patience().equals(patience.get())) {
      forget(life.uid());
      plan(life, before == null ? node.now() : before.since(), patience.get());
    }
  }

  private void plan(PodLife life, Instant since, Duration patience) {
    Duration left = Duration.between(node.now(), since.plus(patience));
    Runnable cancel =
        node.after(
            left.isNegative() ? Duration.ZERO : left,
            () -> {
              planned.remove(life.uid());
              life.guard(life::evictForTaint);
            });
    planned.put(life.uid(), new Planned(since, patience, cancel));
  }

  /** Called when the pod ended, or is gone. */
  void forget(String uid) {
    Planned before = planned.remove(uid);
    if (before != null) {
      before.cancel().run();
    }
  }

  /** Returns the disruption condition of an evicted pod. */
  static PodStatus.Disruption disruption() {
    return new PodStatus.Disruption(
        "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
  }
}
