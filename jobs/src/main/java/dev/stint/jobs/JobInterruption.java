package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.Timers;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The interruption of one Job while others go on: the Job is suspended, so that its controller ends
 * its pods with their grace periods and counts nothing. An annotation tells it from a Job that a
 * user has suspended. The command that ran the Job resumes it.
 */
public final class JobInterruption {
  private JobInterruption() {}

  /**
   * Suspends a Job. Does nothing if it does not exist, is finished or suspended.
   *
   * @throws ClusterException if the API refuses it
   */
  public static void begin(Cluster cluster, ObjectRef ref) {
    ApiCalls.await(request(cluster, ref));
  }

  /**
   * Does what {@link #begin} does, without waiting.
   *
   * @return completes when the Job is suspended; fails with a {@link ClusterException} if the API
   *     refuses it
   */
  public static CompletableFuture<@Nullable Void> request(Cluster cluster, ObjectRef ref) {
    return cluster
        .get(ref)
        .thenCompose(job ->
            JobState.of(job).isFinished() || JobChanges.isSuspended(job)
                ? CompletableFuture.completedFuture(null)
                : cluster.patch(ref, suspension(job)))
        .handle((_, failure) -> unlessGone(failure));
  }

  private static ObjectNode suspension(KubeObject job) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata").put("uid", job.uid());
    metadata.putObject("annotations").put(RunAnnotations.INTERRUPTED, "true");
    patch.putObject("spec").put("suspend", true);
    return patch;
  }

  /** Ignores that a Job is gone, or is another one of its name by now. */
  private static @Nullable Void unlessGone(@Nullable Throwable failure) {
    if (failure == null
        || ClusterRequests.hasReason(failure, Reason.NOT_FOUND)
        || ClusterRequests.hasReason(failure, Reason.CONFLICT)) {
      return null;
    }
    throw new CompletionException(ClusterException.causeOf(failure));
  }

  /** True if no pod of the Job runs any more, and none will without a word of a user. */
  public static boolean isOver(KubeObject job) {
    JobStatus status = JobStatus.read(job.status());
    Integer terminating = status.terminating();
    return status.isFinished()
        || (JobChanges.isSuspended(job)
            && status.isTrue(JobCondition.SUSPENDED)
            && status.active() == 0
            && (terminating == null || terminating == 0));
  }

  /** True if the Job was interrupted and not resumed. */
  public static boolean isInterrupted(KubeObject job) {
    return JobChanges.isSuspended(job) && job.annotation(RunAnnotations.INTERRUPTED) != null;
  }

  /** Returns an edit that also removes the mark of an interruption which others have ended. */
  public static JobEdit withoutMark(JobEdit edit) {
    return edit.job().annotation(RunAnnotations.INTERRUPTED) == null || isInterrupted(edit.job())
        ? edit
        : edit.withoutAnnotation(RunAnnotations.INTERRUPTED);
  }

  /** Resumes a Job if it was interrupted; returns its newest state. */
  public static KubeObject resume(Cluster cluster, KubeObject job) {
    return ApiCalls.await(resumption(cluster, job));
  }

  /** Does what {@link #resume} does, without waiting. */
  public static CompletableFuture<KubeObject> resumption(Cluster cluster, KubeObject job) {
    return isInterrupted(job)
        ? cluster.patch(job.ref(), JobChanges.suspension(job, false))
        : CompletableFuture.completedFuture(job);
  }

  /**
   * Waits until the interruption of a Job is over, or the Job is gone.
   *
   * @return completes when it is; fails if the API cannot be read any more
   */
  public static CompletableFuture<@Nullable Void> awaitEnd(
      Cluster cluster, ObjectRef ref, Timers timers, RandomGenerator random) {
    CompletableFuture<@Nullable Void> over = new CompletableFuture<>();
    Follower<KubeObject> follower =
        Follower.ofObject(cluster, ref, timers, random, new EndListener(over));
    over.whenComplete((_, _) -> follower.close());
    follower.failure().thenAccept(over::completeExceptionally);
    follower
        .begin()
        .thenCompose(_ -> cluster.get(ref))
        .whenComplete((_, failure) -> {
          if (failure != null && ClusterRequests.hasReason(failure, Reason.NOT_FOUND)) {
            over.complete(null);
          } else if (failure != null) {
            over.completeExceptionally(ClusterException.causeOf(failure));
          }
        });
    return over;
  }

  private record EndListener(CompletableFuture<@Nullable Void> over)
      implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject job) {
      if (isOver(job)) {
        over.complete(null);
      }
    }

    @Override
    public void onDelete(KubeObject last) {
      over.complete(null);
    }
  }
}
