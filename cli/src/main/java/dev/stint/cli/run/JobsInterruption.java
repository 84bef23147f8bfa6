package dev.stint.cli.run;

import dev.stint.cli.follow.RunEnd;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.Timers;
import dev.stint.embedded.RandomGenerators;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.Follower;
import dev.stint.jobs.JobChanges;
import dev.stint.jobs.JobInterruption;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The interruption of the Jobs of a {@code run} while the Jobs of others go on. */
final class JobsInterruption implements Follower.Listener<KubeObject> {
  private static final Logger LOG = LoggerFactory.getLogger(JobsInterruption.class);

  private final Cluster cluster;
  private final Set<ObjectRef> stopping = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<@Nullable Void> stopped = new CompletableFuture<>();
  private volatile boolean begun;

  JobsInterruption(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Interrupts Jobs without waiting for their pods. */
  void begin(List<ObjectRef> jobs) {
    for (ObjectRef job : jobs) {
      try {
        JobInterruption.begin(cluster, job);
      } catch (ClusterException refused) {
        LOG.warn("Cannot interrupt {}; it may go on: {}", job, refused.getMessage());
      }
    }
  }

  /** Interrupts Jobs, and waits until their pods have ended. */
  void interrupt(List<ObjectRef> jobs) {
    stopping.addAll(jobs);
    begun = true;
    for (ObjectRef job : jobs) {
      try {
        JobInterruption.begin(cluster, job);
        KubeObject now = ApiCalls.find(cluster, job);
        if (now == null || JobInterruption.isOver(now)) {
          onEnd(job);
        }
      } catch (ClusterException refused) {
        LOG.warn("Cannot interrupt {}; it may go on: {}", job, refused.getMessage());
        onEnd(job);
      }
    }
    if (stopping.isEmpty()) {
      stopped.complete(null);
    }
    stopped.join();
  }

  /**
   * Interrupts a Job that is about to be replaced, and waits until its pods have ended.
   *
   * @throws RunEnd.EndedEarly if this command ends before
   */
  void interruptFirst(ObjectRef job, Timers timers, RunEnd end) {
    JobInterruption.begin(cluster, job);
    CompletableFuture<?> over =
        JobInterruption.awaitEnd(cluster, job, timers, RandomGenerators.unpredictable());
    try {
      end.await(over);
    } finally {
      over.cancel(false);
    }
  }

  @Override
  public void onUpdate(KubeObject job) {
    if (begun && JobInterruption.isOver(job)) {
      onEnd(job.ref());
    }
  }

  @Override
  public void onDelete(KubeObject job) {
    onEnd(job.ref());
  }

  private void onEnd(ObjectRef job) {
    if (stopping.remove(job) && stopping.isEmpty()) {
      stopped.complete(null);
    }
  }

  /** Stops waiting, since nothing ends the pods any more. */
  void giveUp() {
    stopped.complete(null);
  }

  /** Ends the pods at once; false if no interruption has begun. */
  boolean endNow() {
    if (!begun) {
      return false;
    }
    for (ObjectRef ref : stopping) {
      KubeObject job = ApiCalls.find(cluster, ref);
      if (job != null) {
        JobChanges.pods(cluster, job)
            .forEach(pod -> cluster.delete(pod.ref(), DeleteOptions.now(pod.uid())));
      }
    }
    return true;
  }
}
