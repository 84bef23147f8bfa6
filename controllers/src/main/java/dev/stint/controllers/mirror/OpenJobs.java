package dev.stint.controllers.mirror;

import dev.stint.controllers.metrics.MirrorMetrics;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The Jobs to mirror, with the worker of each and the number of its pods. */
final class OpenJobs {
  private final Map<String, OpenJob> jobs = new HashMap<>();

  /** The numbers of pods by worker. */
  private final Map<String, Long> pods = new HashMap<>();

  private final MirrorMetrics metrics;

  /** The workers that are counted: a Job may name any. */
  private final Set<String> workers;

  OpenJobs(Set<String> workers, MirrorMetrics metrics) {
    this.workers = workers;
    this.metrics = metrics;
    workers.forEach(worker -> metrics.onWorkerPods(worker, 0));
  }

  /** Reports that no Jobs are followed any more. */
  void close() {
    workers.forEach(worker -> metrics.onWorkerPods(worker, 0));
  }

  boolean has(String uid) {
    return jobs.containsKey(uid);
  }

  /**
   * A Job to mirror.
   *
   * @param worker the name of its worker; null if it has none
   * @param cluster the cluster that has its copy; null if none is recorded
   * @param pods how many pods it may run at once
   */
  record OpenJob(ObjectRef ref, @Nullable String worker, @Nullable String cluster, long pods) {}

  /** Records the state of a Job. */
  OpenJob put(KubeObject job) {
    return put(job, job.annotation(MirrorNames.ASSIGNED));
  }

  /** Records a decision, which is written to the Job next. */
  OpenJob put(KubeObject job, @Nullable String worker) {
    OpenJob open = new OpenJob(job.ref(), worker, job.annotation(MirrorNames.WORKER), pods(job));
    subtract(jobs.put(job.uid(), open));
    if (worker != null) {
      add(worker, open.pods());
    }
    return open;
  }

  /** Forgets a Job, and returns it; null if it is not known. */
  @Nullable OpenJob remove(String uid) {
    OpenJob removed = jobs.remove(uid);
    subtract(removed);
    return removed;
  }

  private void subtract(@Nullable OpenJob former) {
    String worker = former == null ? null : former.worker();
    if (former != null && worker != null) {
      add(worker, -former.pods());
    }
  }

  private void add(String worker, long more) {
    if (workers.contains(worker)) {
      metrics.onWorkerPods(worker, pods.merge(worker, more, Long::sum));
    }
  }

  /** Returns how many pods the Jobs of a worker may run at once. */
  long podsOf(String worker) {
    return pods.getOrDefault(worker, 0L);
  }

  List<ObjectRef> matching(Predicate<OpenJob> wanted) {
    return jobs.values().stream().filter(wanted).map(OpenJob::ref).toList();
  }

  /** Returns how many pods a Job may run at once, suspended or not. */
  private static long pods(KubeObject job) {
    JobSpec spec = JobSpec.read(Objects.requireNonNullElseGet(job.spec(), Json::object));
    Integer completions = spec.completions();
    int left =
        completions == null
            ? spec.parallelism()
            : completions - JobStatus.read(job.status()).succeeded();
    return Math.clamp(left, 0, Math.max(0, spec.parallelism()));
  }
}
