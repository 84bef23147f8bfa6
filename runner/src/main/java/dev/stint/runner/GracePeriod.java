package dev.stint.runner;

import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The grace period that all containers of an ending pod share. On the loop only. */
final class GracePeriod {
  private final NodePorts node;
  private final Consumer<Instant> over;
  private @Nullable Instant end;
  private Runnable cancel = () -> {};

  /**
   * Creates a grace period that has not begun.
   *
   * @param over receives the end when it is reached
   */
  GracePeriod(NodePorts node, Consumer<Instant> over) {
    this.node = node;
    this.over = over;
  }

  /**
   * Returns the end of the grace period.
   *
   * @param seconds its length, if it begins now
   */
  Instant endOr(long seconds) {
    return end == null ? endWithin(seconds) : end;
  }

  /** Begins the grace period, or shortens it; never extends it. */
  Instant endWithin(long seconds) {
    Instant at = node.now().plusSeconds(Math.min(seconds, PodSpec.FOREVER_SECONDS));
    if (end != null && !at.isBefore(end)) {
      return end;
    }
    end = at;
    cancel.run();
    if (seconds <= 0) {
      over.accept(at);
    } else {
      cancel = node.after(Duration.between(node.now(), at), () -> over.accept(at));
    }
    return at;
  }

  void cancel() {
    cancel.run();
  }
}
