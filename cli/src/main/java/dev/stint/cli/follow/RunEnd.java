package dev.stint.cli.follow;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.Timers;
import dev.stint.jobs.ApiCalls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The end of a {@code run}: the first reason to end it counts. */
public final class RunEnd {
  /** The time after which the user learns what this command waits for. */
  private static final Duration NOTICE_DELAY = Duration.ofSeconds(1);

  private final CompletableFuture<Reason> reason = new CompletableFuture<>();

  /** The reason why a run ends. */
  public sealed interface Reason {
    /** Every Job has ended. */
    record Finished() implements Reason {}

    /**
     * A signal came.
     *
     * @param signal such as {@code INT}
     */
    record Signalled(String signal) implements Reason {}

    /** The Jobs have not ended in time. */
    record TimedOut(Duration timeout) implements Reason {}

    /** A Job has failed, and {@code --fail-fast} is set. */
    record FailedFast(String job) implements Reason {}

    /** The Jobs cannot be read any more, or nothing can work on them. */
    record Broken(String why) implements Reason {}
  }

  /** Thrown when a run is to end before all its Jobs are submitted. */
  public static final class EndedEarly extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Ends the run; false if there is an earlier reason. */
  public boolean set(Reason why) {
    return reason.complete(why);
  }

  /** Completes with the reason. */
  public CompletableFuture<Reason> reason() {
    return reason;
  }

  /**
   * Waits for a future while the run goes on.
   *
   * @throws EndedEarly if the run ends
   * @throws ClusterException if the future fails
   */
  public void await(CompletableFuture<?> future) {
    ApiCalls.await(CompletableFuture.anyOf(future, reason));
    if (reason.isDone()) {
      throw new EndedEarly();
    }
  }

  /**
   * Waits for a future while the run goes on.
   *
   * @param onDelay called if that takes longer than a user expects
   * @throws EndedEarly if the run ends
   * @throws ClusterException if the future fails
   */
  public void await(CompletableFuture<?> future, Timers timers, Runnable onDelay) {
    Runnable silence = timers.after(NOTICE_DELAY, onDelay);
    try {
      await(future);
    } finally {
      silence.run();
    }
  }
}
