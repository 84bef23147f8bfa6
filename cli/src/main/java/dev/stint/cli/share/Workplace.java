package dev.stint.cli.share;

import dev.stint.cluster.Cluster;
import dev.stint.embedded.share.JobClaim;
import dev.stint.runner.spec.ResourceAmount;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The place where the Jobs of a {@code run} are worked on, for as long as the command runs. */
public interface Workplace extends AutoCloseable {
  /** Returns its API, whichever process serves it. */
  Cluster cluster();

  /** Returns what all pods share there; unlimited if the command that runs them does not tell. */
  ResourceAmount machine();

  /** Completes with the reason why nothing can work on the Jobs any more. */
  CompletableFuture<String> failure();

  /**
   * Claims Jobs for this command, in addition to those that it has; before they are submitted.
   *
   * @return completes when they are claimed, which waits for pods that still end; fails with a
   *     {@link dev.stint.cluster.ClusterException} if another command has claimed one of them
   */
  CompletableFuture<?> claim(List<JobClaim> claims);

  /** Begins to work on the Jobs, once they are submitted. */
  void start();

  /** Called before this command interrupts its Jobs, so that nothing resumes them. */
  default void onInterruption() {}

  /** True if other commands may have Jobs here. */
  boolean isShared();

  /** True if a controller works on the claimed Jobs now, here or in the command that holds them. */
  boolean isWorking();

  /** Ends the pods of this command, so that the next start runs them again. */
  void interrupt();

  /** Ends the pods that {@link #interrupt} waits for at once; does nothing before it. */
  void interruptNow();

  /** Stops to work on the Jobs, which have ended; the API goes on. */
  void stop();

  /**
   * Gives the claims back after an orderly end: the Jobs have ended or are interrupted. Otherwise
   * the command that holds the directory interrupts them.
   */
  void release();

  @Override
  void close();
}
