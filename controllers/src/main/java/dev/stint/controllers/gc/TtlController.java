package dev.stint.controllers.gc;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished Jobs and their dependents once {@code ttlSecondsAfterFinished} has passed
 * (Kubernetes documentation, Automatic Cleanup for Finished Jobs).
 *
 * <p>It reads a Job again before it deletes it, so a Job whose time was extended at the last moment
 * stays.
 */
public final class TtlController implements Controller {
  private final Cluster cluster;
  private final EventLoop loop;
  private final Informer jobs;
  private final WorkQueue<String> queue;

  /** The Jobs that will expire, by uid. */
  private final Map<String, ObjectRef> ending = new HashMap<>();

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  public TtlController(Cluster cluster, EventLoop loop, Metrics metrics) {
    this.cluster = cluster;
    this.loop = loop;
    this.queue =
        new WorkQueue<>("TTL controller", loop, metrics.queue("ttl_jobs_to_delete"), this::work);
    this.jobs = new Informer(cluster, Kind.JOB, loop, new Listener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(jobs::start);
  }

  /** Stops following the API. Does not wait for deletions in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      jobs.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject job) {
      Instant end = TimeToLive.expiry(job);
      if (end == null) {
        onDelete(job.uid(), "");
      } else {
        ending.put(job.uid(), job.ref());
        queue.addAt(job.uid(), end);
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      ending.remove(uid);
      queue.forget(uid);
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    ObjectRef ref = ending.get(uid);
    return ref == null
        ? ClusterRequests.NOTHING
        : ClusterRequests.find(cluster, ref)
            .thenComposeAsync(job -> deleteIfExpired(uid, job), loop);
  }

  private CompletableFuture<@Nullable Void> deleteIfExpired(String uid, @Nullable KubeObject job) {
    Instant end = job == null || !job.uid().equals(uid) ? null : TimeToLive.expiry(job);
    if (job == null || end == null) {
      return ClusterRequests.NOTHING;
    }
    if (end.isAfter(loop.now())) {
      queue.addAt(uid, end);
      return ClusterRequests.NOTHING;
    }
    return ClusterRequests.unlessGone(
        cluster.delete(job.ref(), new DeleteOptions(uid, null, Propagation.FOREGROUND)));
  }
}
