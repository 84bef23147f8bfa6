package dev.stint.runner;

import dev.stint.runner.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The grace period that all containers of a pod that ends share. On the loop only. */
final class GracePeriod {
  private final NodePorts node;
  private final Consumer<Instant> over;
  private @Nullable Instant end;
  private Runnable cancel = () -> {};

  /**
   * A grace period that has not begun.
   *
   * @param over told of its end when that has come
   */
  GracePeriod(NodePorts node, Consumer<Instant> over) {
    this.node = node;
    this.over = over;
  }

  /**
   * When it ends.
   *
   * @param seconds how long it is, if it begins now
   */
  Instant end(long seconds) {
    return end == null ? endWithin(seconds) : end;
  }

  /** Begins it, or shortens it; it is never made longer. */
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
