package dev.stint.runner;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Evicts pods that run under a taint NoExecute of the node, once they have put up with it for as
 * long as they tolerate it ("Taints and Tolerations", taint based evictions). On the loop only.
 */
final class TaintEviction {
  /**
   * A pod that is to go.
   *
   * @param since when it was first found under such a taint
   */
  private record Planned(Instant since, Duration patience, Runnable cancel) {}

  private final NodePorts node;
  private final NodeWatch watch;
  private final Map<String, Planned> planned = new HashMap<>();

  TaintEviction(NodePorts node, NodeWatch watch) {
    this.node = node;
    this.watch = watch;
  }

  /** The node changed. */
  void look(Collection<PodLife> lives) {
    lives.forEach(this::look);
  }

  /** A pod began to run, or its node changed. */
  void look(PodLife life) {
    Optional<Duration> patience = life.runs() ? watch.patience(life.pod()) : Optional.empty();
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
              life.evictForTaint();
            });
    planned.put(life.uid(), new Planned(since, patience, cancel));
  }

  /** The pod ended, or is gone. */
  void forget(String uid) {
    Planned before = planned.remove(uid);
    if (before != null) {
      before.cancel().run();
    }
  }

  /** What a pod that is evicted says of it. */
  static PodStatus.Disruption disruption() {
    return new PodStatus.Disruption(
        "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
  }
}
