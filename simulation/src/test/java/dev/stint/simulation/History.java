package dev.stint.simulation;

import static dev.stint.model.job.JobCondition.FAILURE_TARGET;
import static dev.stint.model.job.JobCondition.SUCCESS_CRITERIA_MET;

import dev.stint.engine.pod.PodView;
import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import dev.stint.model.job.PodFailurePolicy.Action;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** Whether gates changed since then. */
    boolean otherGates;

    /** Uids that were ever in one of the uncounted lists. */
    final Set<String> listedSucceeded = new HashSet<>();

    final Set<String> listedFailed = new HashSet<>();

    /** Those that the controller knew to have stopped by then. */
    final Set<String> failedAndListed = new HashSet<>();

    /** Pods that were being deleted, and had not succeeded, before the Job's fate was decided. */
    private final Set<String> deletedInTime = new HashSet<>();

    /** Those of them that succeeded after all. */
    final Set<String> succeededDeleted = new HashSet<>();

    /** When a pod last succeeded, be it gone since. */
    Instant lastSuccess = Instant.MIN;

    /** Indexes of which a pod ever succeeded. */
    IndexSet everSucceeded = IndexSet.EMPTY;

    /** Indexes of which a pod ever failed, or was deleted, in a way that left no other try. */
    IndexSet everEnded = IndexSet.EMPTY;

    /**
     * The specifications that the controller may act upon: from that of its last status write on,
     * which proves that it knew it.
     */
    final List<JobSpec> possible = new ArrayList<>();

    Job(KubeObject object) {
      this.object = object;
      this.spec = JobSpec.read(Objects.requireNonNull(object.spec()));
      this.status = JobStatus.read(object.status());
      possible.add(spec);
      update(object, status);
    }

    void update(KubeObject newest, JobStatus newStatus) {
      if (newest.generation() != object.generation()) {
        changed = true;
        spec = JobSpec.read(Objects.requireNonNull(newest.spec()));
        possible.add(spec);
      }
      if (!newStatus.equals(status)) {
        possible.subList(0, possible.size() - 1).clear();
      }
      object = newest;
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

    boolean decided() {
      return status.isTrue(SUCCESS_CRITERIA_MET) || status.isTrue(FAILURE_TARGET);
    }
  }

  /** What is to be remembered of a pod that stopped or is being deleted. */
  static final class End {
    /** The earliest time that was ever told as that of its end. */
    Instant first = Instant.MAX;

    /** What its failure meant to the Job's rules at any time since it failed. */
    final Set<Action> meanings = EnumSet.noneOf(Action.class);
  }

  final Map<String, Job> jobs = new LinkedHashMap<>();

  /** Pods that are there now, by uid; in the order in which they came. */
  final Map<String, KubeObject> pods = new TreeMap<>();

  /** Names of objects that others than controllers asked to be deleted. */
  final Set<String> deletedByOthers = new HashSet<>();

  private final Map<String, PodView> views = new HashMap<>();
  private final Map<String, Set<String>> podsOfJob = new HashMap<>();
  private final Map<String, End> ends = new HashMap<>();
  private FeatureGates gates;

  History(FeatureGates gates) {
    this.gates = gates;
  }

  /** The features of the process that runs, or ran last. */
  FeatureGates gates() {
    return gates;
  }

  /** A process starts, with these features. */
  void gates(FeatureGates now) {
    if (!now.equals(gates)) {
      jobs.values().forEach(job -> job.otherGates |= job.decidedAt > 0);
    }
    gates = now;
    pods.values().forEach(this::noteEnd);
  }

  /** Whether the Job is left to another controller, as things are. */
  boolean foreign(Job job) {
    String manager = job.spec.managedBy();
    return manager != null
        && !manager.equals(Names.BUILT_IN_CONTROLLER)
        && gates.has(Gate.JobManagedBy);
  }

  /** Whether failures of the Job are counted per index, as things are. */
  boolean perIndex(Job job) {
    return job.spec.backoffLimitPerIndex() != null && gates.has(Gate.JobBackoffLimitPerIndex);
  }

  @Nullable Job jobOf(KubeObject pod) {
    return jobs.get(Objects.requireNonNullElse(pod.controllerUid(), ""));
  }

  Stream<PodView> podsOf(Job job) {
    return podsOfJob.getOrDefault(job.object.uid(), Set.of()).stream().map(this::view);
  }

  @Nullable PodView pod(String uid) {
    return views.get(uid);
  }

  End end(String uid) {
    return ends.computeIfAbsent(uid, _ -> new End());
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
    if (job != null && view.hasSucceeded()) {
      noteSuccess(job, view);
    } else if (job != null && view.deleting() && !job.decided()) {
      job.deletedInTime.add(view.uid());
    }
    noteEnd(pod);
  }

  private static void noteSuccess(Job job, PodView pod) {
    if (pod.index() >= 0) {
      job.everSucceeded = job.everSucceeded.union(IndexSet.of(pod.index()));
    }
    if (pod.finishTime().isAfter(job.lastSuccess)) {
      job.lastSuccess = pod.finishTime();
    }
    if (job.deletedInTime.contains(pod.uid())) {
      job.succeededDeleted.add(pod.uid());
    }
  }

  private void noteEnd(KubeObject pod) {
    PodView view = view(pod.uid());
    Job job = jobOf(pod);
    if (job == null || !view.hasStopped() && !view.deleting()) {
      return;
    }
    End end = end(pod.uid());
    end.first = view.finishTime().isBefore(end.first) ? view.finishTime() : end.first;
    if (!view.hasSucceeded()) {
      Action meaning = Oracle.meaning(job.object, pod, gates);
      end.meanings.add(meaning);
      if (view.index() >= 0 && endsIndex(job, view, meaning)) {
        job.everEnded = job.everEnded.union(IndexSet.of(view.index()));
      }
    }
  }

  private static boolean endsIndex(Job job, PodView pod, Action meaning) {
    Integer limit = job.spec.backoffLimitPerIndex();
    return limit != null
        && (meaning == Action.FailIndex || meaning != Action.Ignore && pod.failureCount() >= limit);
  }

  void remove(KubeObject pod) {
    pods.remove(pod.uid());
    views.remove(pod.uid());
    podsOfJob
        .getOrDefault(Objects.requireNonNullElse(pod.controllerUid(), ""), new HashSet<>())
        .remove(pod.uid());
  }
}
