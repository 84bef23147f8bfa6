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
import java.util.concurrent.CompletableFuture;
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
    KubeObject job = ApiCalls.find(cluster, ref);
    if (job == null || JobState.of(job).isFinished() || JobChanges.isSuspended(job)) {
      return;
    }
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata").put("uid", job.uid());
    metadata.putObject("annotations").put(RunAnnotations.INTERRUPTED, "true");
    patch.putObject("spec").put("suspend", true);
    try {
      ApiCalls.await(cluster.patch(ref, patch));
    } catch (ClusterException refused) {
      if (refused.reason() != Reason.NOT_FOUND && refused.reason() != Reason.CONFLICT) {
        throw refused;
      }
    }
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
    return isInterrupted(job) ? JobChanges.suspend(cluster, job, false) : job;
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
    try {
      follower.start();
    } catch (ClusterException closed) {
      if (!over.isDone()) {
        throw closed;
      }
    }
    if (ApiCalls.find(cluster, ref) == null) {
      over.complete(null);
    }
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
