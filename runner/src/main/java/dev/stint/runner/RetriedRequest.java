package dev.stint.runner;

import dev.stint.cluster.ClusterException;
import dev.stint.runner.runtime.RetryDelays;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request that is retried with exponential back-off, as long as it may yet succeed. */
final class RetriedRequest {
  private final NodePorts node;
  private final Supplier<? extends CompletionStage<?>> attempt;
  private final Consumer<@Nullable Throwable> done;
  private int failures;

  private RetriedRequest(
      NodePorts node,
      Supplier<? extends CompletionStage<?>> attempt,
      Consumer<@Nullable Throwable> done) {
    this.node = node;
    this.attempt = attempt;
    this.done = done;
  }

  /**
   * Sends the request until it is answered.
   *
   * @param attempt sends it once
   * @param done receives, on the loop, success (null) or a failure that a retry does not fix
   */
  static void send(
      NodePorts node,
      Supplier<? extends CompletionStage<?>> attempt,
      Consumer<@Nullable Throwable> done) {
    new RetriedRequest(node, attempt, done).send();
  }

  private void send() {
    node.whenDone(attempt.get(), this::onAnswer);
  }

  private void onAnswer(@Nullable Throwable failure) {
    if (failure instanceof ClusterException answer && answer.isTransient()) {
      node.after(RetryDelays.REQUEST.delay(++failures), this::send);
    } else {
      done.accept(failure);
    }
  }
}
