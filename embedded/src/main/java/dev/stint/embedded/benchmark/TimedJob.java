package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.embedded.RemoteNode;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobCondition;
import dev.stint.model.job.JobStatus;
import dev.stint.reconcile.ClusterRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One Job of a run, with the times of events of its indexes. Times are {@link System#nanoTime}. */
final class TimedJob {
  static final String NAMESPACE = "default";

  private final String name;
  private final JobRunOptions options;
  private final Latencies createToStart;
  private final Latencies finishToStatus;
  private final Latencies lastEndToComplete;
  private final AtomicLongArray created;
  private final AtomicLongArray finished;
  private final IndexSet.Builder started = IndexSet.builder();
  private final CompletableFuture<@Nullable Void> complete = new CompletableFuture<>();

  /** True once the Job is being created, or never will be. */
  private final AtomicBoolean begun = new AtomicBoolean();

  private final CompletableFuture<KubeObject> creation = new CompletableFuture<>();
  private IndexSet shown = IndexSet.EMPTY;

  TimedJob(
      String name,
      JobRunOptions options,
      Latencies createToStart,
      Latencies finishToStatus,
      Latencies lastEndToComplete) {
    this.name = name;
    this.options = options;
    this.createToStart = createToStart;
    this.finishToStatus = finishToStatus;
    this.lastEndToComplete = lastEndToComplete;
    this.created = new AtomicLongArray(options.completions());
    this.finished = new AtomicLongArray(options.completions());
  }

  /**
   * Returns the Job.
   *
   * @param node the node that its pods name; null for none
   */
  private KubeObject document(@Nullable String node) {
    ObjectNode job = Json.object().put("apiVersion", "batch/v1").put("kind", "Job");
    job.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
    ObjectNode spec = job.putObject("spec");
    spec.put("completionMode", "Indexed");
    spec.put("completions", options.completions()).put("parallelism", options.parallelism());
    if (options.managedBy() != null) {
      spec.put("managedBy", options.managedBy());
    }
    if (options.perIndex()) {
      spec.put("backoffLimitPerIndex", 1);
    } else {
      spec.put("backoffLimit", Integer.MAX_VALUE);
    }
    ObjectNode pod = spec.putObject("template").putObject("spec").put("restartPolicy", "Never");
    if (node != null) {
      bind(pod, node);
    }
    ObjectNode container = pod.putArray("containers").addObject();
    container.put("name", "main").put("image", "none").putArray("command").add("true");
    return KubeObject.of(job);
  }

  /** Binds pods to a node, whose end no deleted pod waits for: it would wait for ever. */
  private static void bind(ObjectNode pod, String node) {
    pod.put("nodeName", node).put("terminationGracePeriodSeconds", 0);
    ObjectNode tolerated = pod.putArray("tolerations").addObject();
    tolerated.put("key", RemoteNode.TAINT).put("operator", "Exists").put("effect", "NoSchedule");
  }

  /**
   * Creates the Job, unless its deletion was requested.
   *
   * @param node the node that its pods name; null for none
   */
  CompletableFuture<KubeObject> create(Cluster cluster, @Nullable String node) {
    if (begun.compareAndSet(false, true)) {
      cluster
          .create(document(node))
          .whenComplete((job, refusal) -> {
            if (refusal == null) {
              creation.complete(job);
            } else {
              creation.completeExceptionally(refusal);
            }
          });
    }
    return creation;
  }

  /**
   * Requests its deletion with its pods, after a creation under way. If it was not created, it will
   * not be.
   */
  CompletableFuture<@Nullable Void> delete(Cluster cluster) {
    if (begun.compareAndSet(false, true)) {
      creation.completeExceptionally(new StoppedException());
      return ClusterRequests.NOTHING;
    }
    return creation
        .handle((_, _) -> true)
        .thenCompose(_ ->
            cluster.delete(
                new ObjectRef(Kind.JOB, NAMESPACE, name),
                new DeleteOptions(null, null, Propagation.BACKGROUND)))
        .exceptionally(_ -> null);
  }

  /** Completes when the Job is Complete; fails if it failed. */
  CompletableFuture<@Nullable Void> complete() {
    return complete;
  }

  void onPodCreated(int index, long now) {
    created.set(index, now);
  }

  /**
   * Records the start of a pod's container, and returns its exit code for containers without one of
   * their own. If the time of the pod's creation was not reported, its creation timestamp is used,
   * in whole seconds.
   */
  synchronized int onPodStart(int index, KubeObject pod, long now) {
    long known = created.get(index);
    Instant stamp = known == 0 ? pod.creationTimestamp() : null;
    createToStart.add(
        stamp == null ? now - known : Duration.between(stamp, Instant.now()).toNanos());
    boolean again = started.contains(index);
    started.add(index);
    return options.failFirst() && !again ? 1 : 0;
  }

  void onPodEnd(int index, long now) {
    finished.set(index, now);
  }

  /** Returns the time at which the last index ended; a pod has ended for each of them. */
  private long lastEnd() {
    return IntStream.range(0, finished.length()).mapToLong(finished::get).max().orElseThrow();
  }

  /** Records a new state of the Job from the watch. */
  synchronized void onUpdate(KubeObject job, long now) {
    JobStatus status = JobStatus.read(job.status());
    status.completedIndexes().minus(shown).forEach(i -> finishToStatus.add(now - finished.get(i)));
    shown = status.completedIndexes();
    if (status.isTrue(JobCondition.COMPLETE)) {
      if (!complete.isDone()) {
        lastEndToComplete.add(now - lastEnd());
      }
      complete.complete(null);
    } else if (status.isTrue(JobCondition.FAILED)) {
      complete.completeExceptionally(
          new IllegalStateException("Job " + name + " failed: " + status.conditions()));
    }
  }
}
