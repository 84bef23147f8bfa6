package dev.stint.embedded.share;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.jobs.JobInterruption;
import dev.stint.reconcile.ClusterRequests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Jobs that a command has claimed, and what it asks of each holder for them. */
public final class ClaimedJobs {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimedJobs.class);

  private volatile List<JobClaim> claims = List.of();
  private volatile boolean submitted;

  /** True once another holder has been asked to go on with the Jobs. */
  private volatile boolean changedHolder;

  private volatile boolean interrupting;

  /** Returns the claims. */
  public List<JobClaim> all() {
    return claims;
  }

  /** Adds claims, which each holder from now on gets. */
  public void add(List<JobClaim> wanted) {
    claims = Stream.concat(claims.stream(), wanted.stream()).toList();
  }

  /**
   * Records that the Jobs are submitted, so that they are to run. Resumes those that a holder has
   * interrupted before, when the connection broke.
   */
  public CompletableFuture<@Nullable Void> onSubmission(Cluster cluster) {
    submitted = true;
    return changedHolder ? resume(cluster) : ClusterRequests.NOTHING;
  }

  /** Records that this command interrupts its Jobs, so that nothing resumes them. */
  public void onInterruption() {
    interrupting = true;
  }

  /** True if this command interrupts its Jobs. */
  public boolean isInterrupting() {
    return interrupting;
  }

  /** Claims Jobs of a holder. Its end is no failure: the next one gets all claims. */
  public static CompletableFuture<?> claim(ClusterClient holder, List<JobClaim> wanted) {
    return holder.claim(wanted).handle((_, failure) -> unlessLost(failure));
  }

  private static @Nullable Void unlessLost(@Nullable Throwable failure) {
    if (failure == null || ClusterClient.isLoss(failure)) {
      return null;
    }
    throw new CompletionException(ClusterException.causeOf(failure));
  }

  /** Claims all Jobs of the next holder, and resumes those that were interrupted meanwhile. */
  public CompletableFuture<@Nullable Void> claimAgain(ClusterClient holder) {
    return claims.isEmpty()
        ? ClusterRequests.NOTHING
        : holder.claim(claims).thenCompose(_ -> resume(holder));
  }

  /**
   * True if a refusal of {@link #claimAgain} may pass: the holder may not have seen yet that the
   * last connection of this command has ended.
   */
  public static boolean mayPass(ClusterException refusal) {
    return refusal.reason() == Reason.CONFLICT;
  }

  /**
   * Resumes the Jobs that a holder has interrupted when the connection broke.
   *
   * @return fails only if this holder is lost, too
   */
  public CompletableFuture<@Nullable Void> resume(Cluster working) {
    CompletableFuture<@Nullable Void> done = ClusterRequests.NOTHING;
    changedHolder = true;
    if (!submitted || interrupting) {
      return done;
    }
    for (JobClaim claim : claims) {
      done = done.thenCompose(_ -> resume(working, claim));
    }
    return done;
  }

  private static CompletableFuture<@Nullable Void> resume(Cluster working, JobClaim claim) {
    return ClusterRequests.find(working, claim.ref())
        .thenCompose(job ->
            job == null
                ? ClusterRequests.NOTHING
                : JobInterruption.resumption(working, job).<@Nullable Void>thenApply(_ -> null))
        .handle((_, failure) -> {
          if (failure != null && ClusterClient.isLoss(failure)) {
            throw new CompletionException(ClusterException.causeOf(failure));
          }
          if (failure != null) {
            LOG.warn(
                "Cannot resume Job {}; it stays suspended until the command is given again: {}",
                claim.key(),
                ClusterException.causeOf(failure).getMessage());
          }
          return null;
        });
  }
}
