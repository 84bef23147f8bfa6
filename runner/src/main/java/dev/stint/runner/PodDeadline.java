package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code activeDeadlineSeconds} of a pod: it can be added to a pod that runs, and changed. On
 * the loop only.
 */
final class PodDeadline {
  private final NodePorts node;
  private final Runnable exceeded;
  private @Nullable Instant start;
  private @Nullable Long seconds;
  private Runnable cancel = () -> {};

  /** A deadline that is not watched yet. */
  PodDeadline(NodePorts node, Runnable exceeded) {
    this.node = node;
    this.exceeded = exceeded;
  }

  /** Begins to watch the deadline of a pod that has run since then. */
  void start(KubeObject pod, Instant since) {
    start = since;
    follow(pod);
  }

  /** Takes over the deadline that the pod has now. */
  void follow(KubeObject pod) {
    Long wanted = PodSpec.activeDeadlineSeconds(pod);
    if (start == null || Objects.equals(wanted, seconds)) {
      return;
    }
    seconds = wanted;
    cancel.run();
    Instant end = end();
    if (end != null) {
      Duration left = Duration.between(node.now(), end);
      cancel = node.after(left.isNegative() ? Duration.ZERO : left, exceeded);
    }
  }

  boolean isPast() {
    Instant end = end();
    return end != null && !end.isAfter(node.now());
  }

  void cancel() {
    start = null;
    cancel.run();
  }

  private @Nullable Instant end() {
    return start == null || seconds == null || seconds > PodSpec.FOREVER_SECONDS
        ? null
        : start.plusSeconds(seconds);
  }
}
