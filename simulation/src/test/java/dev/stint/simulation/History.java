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
import dev.stint.model.pod.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The durable history of Jobs and pods. */
final class History {
  /** The current state of a Job, and the facts about its past that laws need. */
  static final class Job {
    KubeObject object;
    JobSpec spec;
    JobStatus status;
    boolean gone;

    /** True if its owner changed the specification after its creation. */
    boolean changed;

    /** The fewest completions that the Job ever had. */
    private int leastCompletions = Integer.MAX_VALUE;

    /**
     * Uids of pods that had not stopped as their finalizer came off: the Job wants them no more.
     */
    final Set<String> letGo = new HashSet<>();

    /** Those of them that somebody was deleting at that time. */
    final Set<String> letGoDeleted = new HashSet<>();

    /** Those of them that a failing Job did not count, for a rule or since they had no index. */
    final Set<String> letGoUncounted = new HashSet<>();

    /** When the latest of them was created, by index. */
    final Map<Integer, Instant> letGoAt = new HashMap<>();

    /** The finish times of all pods that ever stopped. */
    final Map<String, Instant> finished = new HashMap<>();

    /** The most memory that follows from the pods of an index, even if they were removed since. */
    final Map<Integer, Integer> memory = new HashMap<>();

    /** The most restarts of each pod that ever restarted. */
    final Map<String, Integer> restarts = new HashMap<>();

    /** The indexes that ever had a pod. */
    final Set<Integer> begun = new HashSet<>();

    /**
     * True if a pod has ever become its own, or ceased to be, after its creation: it may know of
     * other pods than this history says.
     */
    boolean disturbed;

    /** The indexes of such pods. */
    final Set<Integer> disturbedIndexes = new HashSet<>();

    /** The revision at which its deletion began. */
    long deletedAt = Long.MAX_VALUE;

    /** True if a pod of it was ended since it had not started in time. */
    boolean endedLate;

    /** True if a pod of it was ended since it had restarted too often. */
    boolean endedByRestarts;

    /** The generation of the Job when its outcome was decided. */
    long decidedAt;

    /** True if gates have changed since then. */
    boolean otherGates;

    /** Uids that were ever in one of the uncounted lists. */
    final Set<String> listedSucceeded = new HashSet<>();

    final Set<String> listedFailed = new HashSet<>();

    /** The pods that the controller knew to have stopped by then. */
    final Set<String> failedAndListed = new HashSet<>();

    /** Pods that were being deleted, and had not succeeded, before the outcome was decided. */
    private final Set<String> deletedInTime = new HashSet<>();

    /** Those of them that succeeded after all. */
    final Set<String> succeededDeleted = new HashSet<>();

    /** Pods whose failure counted at first, and that a rule ignores since. */
    final Set<String> ignoredLate = new HashSet<>();

    /** The pods that ever counted as succeeded, even if they look evicted since. */
    final Set<String> podsThatSucceeded = new HashSet<>();

    /** Those of them that exited with 0, and only look evicted. */
    final Set<String> evictedFailures = new HashSet<>();

    /** The pods that have failed since the status was last written. */
    final Set<String> failedSinceStatus = new HashSet<>();

    /** The pods that ever counted as failed, even if they look successful since. */
    final Set<String> podsThatFailed = new HashSet<>();

    /** The time at which a pod last succeeded, even if it was removed since. */
    Instant lastSuccess = Instant.MIN;

    /** The indexes with a pod that ever succeeded. */
    IndexSet everSucceeded = IndexSet.EMPTY;

    /** The indexes with a pod that failed or was deleted without another try. */
    IndexSet everEnded = IndexSet.EMPTY;

    /**
     * The specifications that the controller may act on: that of its last status write, which
     * proves that it knew it, and all later ones.
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
        failedSinceStatus.clear();
      }
      object = newest;
      status = newStatus;
      Integer completions = spec.completions();
      if (spec.isIndexed() && completions != null) {
        leastCompletions = Math.min(leastCompletions, completions);
      }
    }

    /** True if the Job was ever too small for an index. */
    boolean hadNot(int index) {
      return spec.isIndexed() && (index < 0 || index >= leastCompletions);
    }

    boolean unfinished() {
      return !gone && !status.isFinished();
    }

    boolean decided() {
      return status.isTrue(SUCCESS_CRITERIA_MET) || status.isTrue(FAILURE_TARGET);
    }
  }

  /** The facts about a pod that stopped or is being deleted. */
  static final class End {
    /** The earliest time that was ever reported as its end. */
    Instant first = Instant.MAX;

    /** The actions of the Job's rules for its failure, at any time since it failed. */
    final Set<Action> meanings = EnumSet.noneOf(Action.class);

    /** The most failures of its index that a pod ever told of. */
    private int failures;

    /** The process in which the pod was first being deleted without our finalizer; 0 if none. */
    private int releasedIn;
  }

  final Map<String, Job> jobs = new LinkedHashMap<>();

  /** The existing pods by uid, in the order of their creation. */
  final Map<String, KubeObject> pods = new TreeMap<>();

  /** True if objects go with their owners. */
  boolean collectsGarbage;

  /** The uids of objects whose deletion somebody other than a controller requested. */
  final Set<String> deletedByOthers = new HashSet<>();

  /** The pods of the latest changes as the engine sees them, since many laws ask for that. */
  private final IdentityHashMap<KubeObject, PodView> seen = new IdentityHashMap<>();

  private final Map<String, PodView> views = new HashMap<>();
  private final Map<String, Set<String>> podsOfJob = new HashMap<>();
  private final Map<String, End> ends = new HashMap<>();

  /** The processes in which pods got their last owner, if that was not at their creation by us. */
  private final Map<String, Integer> moved = new HashMap<>();

  private FeatureGates gates;

  /** How many processes have started. */
  private int processes;

  History(FeatureGates gates) {
    this.gates = gates;
  }

  /** The feature gates of the running, or the last, process. */
  FeatureGates gates() {
    return gates;
  }

  /** Records the start of a process with these feature gates. */
  void gates(FeatureGates now) {
    if (!now.equals(gates)) {
      jobs.values().forEach(job -> job.otherGates |= job.decidedAt > 0);
    }
    gates = now;
    processes++;
    pods.values().forEach(this::noteEnd);
  }

  /** True if the Job is left to another controller, with the current gates. */
  boolean foreign(Job job) {
    String manager = job.spec.managedBy();
    return manager != null
        && !manager.equals(Names.BUILT_IN_CONTROLLER)
        && gates.has(Gate.JobManagedBy);
  }

  /** True if failures of the Job are counted per index, with the current gates. */
  boolean perIndex(Job job) {
    return job.spec.backoffLimitPerIndex() != null && gates.has(Gate.JobBackoffLimitPerIndex);
  }

  @Nullable Job jobOf(KubeObject pod) {
    return jobs.get(ownerOf(pod));
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

  /**
   * True if the pod was being deleted without our finalizer before this process: such a pod does
   * not show whether its failure was counted, or its Job wanted it no more.
   */
  boolean isForgotten(PodView pod) {
    int releasedIn = end(pod.uid()).releasedIn;
    return releasedIn > 0 && releasedIn < processes;
  }

  /** Returns the most failures of its index that a pod ever told of, ignored ones included. */
  int mostFailures(PodView pod) {
    return Math.max(RetryLaws.attempt(pod), end(pod.uid()).failures);
  }

  /** Returns a pod as the engine sees it. */
  PodView seen(KubeObject pod) {
    return seen.computeIfAbsent(pod, PodView::of);
  }

  /** Returns a pod with the phase and the failures that count for its Job. */
  PodView judged(KubeObject pod) {
    Job job = jobOf(pod);
    PodView view = seen(pod);
    if (job == null) {
      return view;
    }
    int restarts = Oracle.failedRestarts(job.object, pod);
    PodView counted = restarts == 0 ? view : view.withFailures(view.failureCount() + restarts);
    return Oracle.hasFailedEvicted(job.object, pod) ? counted.in(PodPhase.Failed) : counted;
  }

  /** True if the pod was not always its Job's, so that the Job may not know it as we do. */
  boolean isMoved(String podUid) {
    return moved.containsKey(podUid);
  }

  /** True if the Job must know the pod: it was its own before the process began. */
  boolean isKnown(PodView pod) {
    return moved.getOrDefault(pod.uid(), 0) < processes;
  }

  private PodView view(String uid) {
    return Objects.requireNonNull(views.get(uid));
  }

  void put(KubeObject pod) {
    KubeObject before = pods.put(pod.uid(), pod);
    seen.remove(before);
    PodView view = judged(pod);
    noteOwner(before, pod, view);
    views.put(pod.uid(), view);
    end(pod.uid()).failures = mostFailures(view);
    podsOfJob.computeIfAbsent(ownerOf(pod), uid -> new HashSet<>()).add(pod.uid());
    Job job = jobOf(pod);
    if (job != null && view.hasSucceeded()) {
      noteSuccess(job, view);
    } else if (job != null && view.deleting() && !job.decided()) {
      job.deletedInTime.add(view.uid());
    }
    if (job != null && view.phase() == PodPhase.Failed) {
      if (seen(pod).hasSucceeded()) {
        job.evictedFailures.add(view.uid());
      }
      if (job.podsThatFailed.add(view.uid())) {
        job.failedSinceStatus.add(view.uid());
      }
    }
    if (job != null) {
      if (view.restarts() > 0) {
        job.restarts.merge(view.uid(), view.restarts(), Math::max);
      }
      job.begun.add(view.index());
      job.memory.merge(view.index(), Oracle.nextMemory(job.object, pod), Math::max);
    }
    noteEnd(pod);
  }

  private void noteOwner(@Nullable KubeObject before, KubeObject pod, PodView view) {
    boolean moves =
        before == null
            ? OwnershipLaws.isByUser(null, pod)
            : !Objects.equals(before.controllerUid(), pod.controllerUid());
    if (moves) {
      moved.put(pod.uid(), processes);
      disturb(pod, view);
    }
    if (moves && before != null) {
      podsOfJob.getOrDefault(ownerOf(before), new HashSet<>()).remove(pod.uid());
      disturb(before, view);
    }
  }

  private void disturb(KubeObject pod, PodView view) {
    Job job = jobOf(pod);
    if (job != null) {
      job.disturbed = true;
      job.disturbedIndexes.add(view.index());
    }
  }

  private static String ownerOf(KubeObject pod) {
    return Objects.requireNonNullElse(pod.controllerUid(), "");
  }

  private static void noteSuccess(Job job, PodView pod) {
    job.podsThatSucceeded.add(pod.uid());
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
    if (view.hasStopped()) {
      job.finished.put(view.uid(), view.finishTime());
    }
    End end = end(pod.uid());
    if (view.deleting() && !view.tracked() && end.releasedIn == 0) {
      end.releasedIn = processes;
    }
    end.first = view.finishTime().isBefore(end.first) ? view.finishTime() : end.first;
    if (!view.hasSucceeded()) {
      Action meaning = Oracle.meaning(job.object, pod, gates);
      end.meanings.add(meaning);
      if (meaning == Action.Ignore && end.meanings.size() > 1) {
        job.ignoredLate.add(view.uid());
      }
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
    seen.remove(pods.remove(pod.uid()));
    views.remove(pod.uid());
    podsOfJob.getOrDefault(ownerOf(pod), new HashSet<>()).remove(pod.uid());
  }
}
