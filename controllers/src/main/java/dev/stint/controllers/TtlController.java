package dev.stint.controllers;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.cluster.Timers;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished Jobs, with all that they own, once their {@code ttlSecondsAfterFinished} are
 * over (Kubernetes documentation, Automatic Cleanup for Finished Jobs).
 *
 * <p>A Job is read again before it is deleted, so that one whose time was prolonged at the last
 * moment stays.
 */
public final class TtlController implements Controller {
  private final Cluster cluster;
  private final Executor loop;
  private final InstantSource clock;
  private final Informer jobs;
  private final WorkQueue<String> queue;

  /** Where the Jobs are, by uid, that have an end. */
  private final Map<String, ObjectRef> ending = new HashMap<>();

  /**
   * A controller that is not started yet.
   *
   * @param loop runs one task at a time, in order; all happens there
   */
  public TtlController(Cluster cluster, Executor loop, InstantSource clock, Timers timers) {
    this.cluster = cluster;
    this.loop = loop;
    this.clock = clock;
    this.queue = new WorkQueue<>("TTL controller", loop, clock, timers, this::work);
    this.jobs = new Informer(cluster, Kind.JOB, loop, timers, new Listener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(jobs::start);
  }

  /** Stops following the API; deletions that are under way are not waited for. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      jobs.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void put(KubeObject job) {
      Instant end = TimeToLive.end(job);
      if (end == null) {
        gone(job.uid(), "");
      } else {
        ending.put(job.uid(), job.ref());
        queue.addAt(job.uid(), end);
      }
    }

    @Override
    public void gone(String uid, String controller) {
      ending.remove(uid);
      queue.cancel(uid);
    }

    @Override
    public void listed() {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    ObjectRef ref = ending.get(uid);
    return ref == null
        ? Requests.NOTHING
        : Requests.find(cluster, ref).thenComposeAsync(job -> end(uid, job), loop);
  }

  private CompletableFuture<@Nullable Void> end(String uid, @Nullable KubeObject job) {
    Instant end = job == null || !job.uid().equals(uid) ? null : TimeToLive.end(job);
    if (job == null || end == null) {
      return Requests.NOTHING;
    }
    if (end.isAfter(clock.instant())) {
      queue.addAt(uid, end);
      return Requests.NOTHING;
    }
    return Requests.unlessGone(
        cluster.delete(job.ref(), new DeleteOptions(uid, null, Propagation.FOREGROUND)));
  }
}
