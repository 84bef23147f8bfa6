package dev.stint.cli.cluster;

import dev.stint.cli.submit.ExistingJobs;
import dev.stint.cli.submit.JobSubmission;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.cli.submit.RunDecision;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RandomGenerators;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.DisplayText;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobInterruption;
import dev.stint.jobs.JobState;
import dev.stint.jobs.RunAnnotations;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A cluster as the place where Jobs are submitted: controllers and other users are at work. */
final class ClusterSite implements JobSubmission.Site {
  private final KubeCluster cluster;
  private final Timers timers;
  private final ExistingJobs mode;
  private final Consumer<CompletableFuture<?>> await;

  /**
   * @param await waits for a future, as long as the command goes on
   */
  ClusterSite(
      KubeCluster cluster, Timers timers, ExistingJobs mode, Consumer<CompletableFuture<?>> await) {
    this.cluster = cluster;
    this.timers = timers;
    this.mode = mode;
    this.await = await;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  /** Suspends an unfinished Job, and waits until its pods have ended. */
  @Override
  public void beforeRemoval(KubeObject job) {
    if (!JobState.of(job).isFinished()) {
      JobInterruption.begin(cluster, job.ref());
      CompletableFuture<?> over =
          JobInterruption.awaitEnd(cluster, job.ref(), timers, RandomGenerators.unpredictable());
      await.accept(over);
    }
  }

  /** Deletes a Job; the cluster deletes its pods, none of which runs. */
  @Override
  public void remove(KubeObject job) {
    CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();
    try (Follower<KubeObject> follower =
        Follower.ofObject(
            cluster,
            job.ref(),
            timers,
            RandomGenerators.unpredictable(),
            new Deletion(job.uid(), gone))) {
      follower.failure().thenAccept(gone::completeExceptionally);
      ApiCalls.await(cluster.delete(job.ref(), DeleteOptions.only(job.uid())));
      follower.start();
      KubeObject left = ApiCalls.find(cluster, job.ref());
      if (left == null || !left.uid().equals(job.uid())) {
        gone.complete(null);
      }
      await.accept(gone);
    }
  }

  private record Deletion(String uid, CompletableFuture<@Nullable Void> gone)
      implements Follower.Listener<KubeObject> {
    @Override
    public void onUpdate(KubeObject job) {
      if (!job.uid().equals(uid)) {
        gone.complete(null);
      }
    }

    @Override
    public void onDelete(KubeObject last) {
      gone.complete(null);
    }
  }

  /**
   * Refuses to replace the finished Job of somebody who did not use this command, and to replace a
   * Job whose successes this user cannot keep.
   */
  @Override
  public RunDecision checked(RequestedJob requested, RunDecision decision) {
    return switch (decision) {
      case RunDecision.StartAnew(KubeObject job, String _) when isTheirs(job) ->
          new RunDecision.Refuse(
              "%s: metadata.name: Job \"%s\" of this cluster is finished, and stint run did not create it; choose another name, or replace it with --replace"
                  .formatted(requested.source(), job.name()));
      case RunDecision.Continue goesOn when !mayKeep(requested, goesOn) ->
          new RunDecision.Refuse(
              "%s: %s succeeded before, and keeping that takes the right to patch jobs/status in namespace %s; ask for it, run only what stint items %s --failed prints under another --name, or run all lines with --fresh"
                  .formatted(
                      requested.name(),
                      DisplayText.count(goesOn.kept().size(), "line", "lines"),
                      requested.namespace(),
                      requested.name()));
      default -> decision;
    };
  }

  private boolean isTheirs(KubeObject job) {
    return mode == ExistingJobs.CONTINUE && job.annotation(RunAnnotations.DOCUMENT) == null;
  }

  private boolean mayKeep(RequestedJob requested, RunDecision.Continue decision) {
    return decision.kept().isEmpty()
        || ApiCalls.await(cluster.may("patch", Kind.JOB, "status", requested.namespace()));
  }

  /**
   * Returns the document of a Job. One with a list begins suspended: its list belongs to it, so it
   * is created after the Job and before the pods. If the command dies in between, the same command
   * goes on.
   */
  @Override
  public KubeObject toCreate(RequestedJob requested) {
    KubeObject job = requested.toCreate();
    if (requested.companions().isEmpty()) {
      return job;
    }
    ObjectNode tree = job.copy();
    tree.withObjectProperty("spec").put("suspend", true);
    tree.withObjectProperty("metadata")
        .withObjectProperty("annotations")
        .put(RunAnnotations.INTERRUPTED, "true");
    return KubeObject.of(tree);
  }
}
