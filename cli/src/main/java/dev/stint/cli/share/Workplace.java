package dev.stint.cli.share;

import dev.stint.cluster.Cluster;
import dev.stint.embedded.share.JobClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The place where the Jobs of a {@code run} are worked on, for as long as the command runs. */
public interface Workplace extends AutoCloseable {
  /** Returns its API, whichever process serves it. */
  Cluster cluster();

  /** Completes with the reason why nothing can work on the Jobs any more. */
  CompletableFuture<String> failure();

  /**
   * Claims Jobs for this command; before they are submitted.
   *
   * @throws dev.stint.cli.output.UserException if another command has claimed one of them
   */
  void claim(List<JobClaim> claims);

  /** Begins to work on the Jobs, once they are submitted. */
  void start();

  /** Called before this command interrupts its Jobs, so that nothing resumes them. */
  default void onInterruption() {}

  /** True if something works on Jobs before {@link #start}, or after this command. */
  boolean isShared();

  /** Ends all pods, so that the next start runs them again. Only if it is not shared. */
  void interrupt();

  /** Ends the pods that {@link #interrupt} waits for at once. */
  void interruptNow();

  /** Stops to work on the Jobs, which have ended; the API goes on. */
  void stop();

  @Override
  void close();
}
