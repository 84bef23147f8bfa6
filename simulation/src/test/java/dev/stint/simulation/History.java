package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What durably happened to Jobs and pods so far. */
final class History {
  /** A Job as it is now, and what is to be remembered of it. */
  static final class Job {
    KubeObject object;
    JobSpec spec;
    JobStatus status;
    boolean gone;

    /** Whether its owner changed the specification after it was created. */
    boolean changed;

    /** The fewest completions that the Job ever had. */
    private int leastCompletions = Integer.MAX_VALUE;

    /** The generation that the Job had when its fate was decided. */
    long decidedAt;

    /** Uids that were ever in one of the uncounted lists. */
    final Set<String> listedSucceeded = new HashSet<>();

    final Set<String> listedFailed = new HashSet<>();

    /** Indexes of which a pod ever succeeded, and ever failed or was deleted. */
    IndexSet everSucceeded = IndexSet.EMPTY;

    IndexSet everFailed = IndexSet.EMPTY;

    Job(KubeObject object) {
      this.object = object;
      this.spec = JobSpec.read(Objects.requireNonNull(object.spec()));
      this.status = JobStatus.read(object.status());
      update(object, status);
    }

    void update(KubeObject newest, JobStatus newStatus) {
      changed |= newest.generation() != object.generation();
      object = newest;
      spec = JobSpec.read(Objects.requireNonNull(newest.spec()));
      status = newStatus;
      Integer completions = spec.completions();
      if (spec.indexed() && completions != null) {
        leastCompletions = Math.min(leastCompletions, completions);
      }
    }

    /** Whether the Job was ever too small for an index. */
    boolean hadNot(int index) {
      return spec.indexed() && (index < 0 || index >= leastCompletions);
    }

    boolean unfinished() {
      return !gone && !status.finished();
    }
  }

  final Map<String, Job> jobs = new LinkedHashMap<>();

  /** Pods that are there now, by uid; in the order in which they came. */
  final Map<String, KubeObject> pods = new TreeMap<>();

  private final Map<String, PodView> views = new HashMap<>();
  private final Map<String, Set<String>> podsOfJob = new HashMap<>();

  @Nullable Job jobOf(KubeObject pod) {
    return jobs.get(Objects.requireNonNullElse(pod.controllerUid(), ""));
  }

  Stream<PodView> podsOf(Job job) {
    return podsOfJob.getOrDefault(job.object.uid(), Set.of()).stream().map(this::view);
  }

  @Nullable PodView pod(String uid) {
    return views.get(uid);
  }

  private PodView view(String uid) {
    return Objects.requireNonNull(views.get(uid));
  }

  void put(KubeObject pod) {
    pods.put(pod.uid(), pod);
    PodView view = PodView.of(pod);
    views.put(pod.uid(), view);
    podsOfJob
        .computeIfAbsent(
            Objects.requireNonNullElse(pod.controllerUid(), ""), uid -> new HashSet<>())
        .add(pod.uid());
    Job job = jobOf(pod);
    if (job != null && view.index() >= 0) {
      IndexSet index = IndexSet.of(view.index());
      if (view.succeeded()) {
        job.everSucceeded = job.everSucceeded.union(index);
      } else if (view.stopped() || view.deleting()) {
        job.everFailed = job.everFailed.union(index);
      }
    }
  }

  void remove(KubeObject pod) {
    pods.remove(pod.uid());
    views.remove(pod.uid());
    podsOfJob
        .getOrDefault(Objects.requireNonNullElse(pod.controllerUid(), ""), new HashSet<>())
        .remove(pod.uid());
  }
}
