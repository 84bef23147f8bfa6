package dev.stint.runner;

import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Enforces the {@code activeDeadlineSeconds} of a pod, which can be added to a running pod, and
 * changed. On the loop only.
 */
final class PodDeadline {
  private final NodePorts node;
  private final Runnable exceeded;
  private @Nullable Instant start;
  private @Nullable Long seconds;
  private Runnable cancel = () -> {};

  /** Creates a deadline that is not watched yet. */
  PodDeadline(NodePorts node, Runnable exceeded) {
    this.node = node;
    this.exceeded = exceeded;
  }

  /** Starts to watch the deadline of a pod that has run since this time. */
  void start(KubeObject pod, Instant since) {
    start = since;
    follow(pod);
  }

  /** Applies the pod's current deadline. */
  void follow(KubeObject pod) {
    Long wanted = PodSpec.activeDeadlineSeconds(pod);
    if (start == null || Objects.equals(wanted, seconds)) {
      return;
    }
    seconds = wanted;
    cancel.run();
    watch();
  }

  /**
   * Looks at the clock now and then, which runs on while the machine sleeps and timers stand still.
   */
  private void watch() {
    Instant end = endTime();
    if (end != null) {
      cancel = node.within(Duration.between(node.now(), end), this::onTimer);
    }
  }

  private void onTimer() {
    if (isPast()) {
      exceeded.run();
    } else {
      watch();
    }
  }

  boolean isPast() {
    Instant end = endTime();
    return end != null && !end.isAfter(node.now());
  }

  void cancel() {
    start = null;
    cancel.run();
  }

  private @Nullable Instant endTime() {
    return start == null || seconds == null || seconds > PodSpec.FOREVER_SECONDS
        ? null
        : start.plusSeconds(seconds);
  }
}
