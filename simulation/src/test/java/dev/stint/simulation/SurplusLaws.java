package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.pod.PodPhase;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The law of which pods go first when a Job has too many: those that have come least far. It begins
 * with the pods that a Job has while nothing happens, so that the controller knows them all. One
 * that comes further meanwhile may be known or not, so only the others that are left count. Pods
 * whose containers restart come and go, so they do not count either.
 */
final class SurplusLaws {
  private static final Comparator<PodView> FIRST_TO_GO =
      Comparator.comparing((PodView pod) -> pod.phase() == PodPhase.Running)
          .thenComparing(PodView::ready)
          .thenComparing(PodView::created, Comparator.reverseOrder())
          .thenComparing(PodView::name, Comparator.reverseOrder());

  private final History history;
  private final History.Job job;
  private final long generation;
  private final List<PodView> pods;

  private SurplusLaws(History history, History.Job job) {
    this.history = history;
    this.job = job;
    this.generation = job.object.generation();
    this.pods = history.podsOf(job).filter(PodView::isActive).sorted(FIRST_TO_GO).toList();
  }

  /** Returns the law for a Job; null if the Job may let pods go for other reasons, or has none. */
  static @Nullable SurplusLaws begin(History history, String jobUid) {
    History.Job job = Objects.requireNonNull(history.jobs.get(jobUid));
    SurplusLaws laws = new SurplusLaws(history, job);
    boolean applies =
        laws.goesOn()
            && laws.pods.size() > 1
            && laws.pods.size() <= job.spec.parallelism()
            && !history.foreign(job)
            && !job.spec.template().at("/spec/restartPolicy").asString("").equals("OnFailure")
            && laws.pods.stream().allMatch(pod -> pod.tracked() && !laws.isStray(pod));
    return applies ? laws : null;
  }

  /** Returns the number of pods at the beginning. */
  int active() {
    return pods.size();
  }

  private boolean goesOn() {
    return job.unfinished()
        && !job.decided()
        && !job.spec.suspend()
        && job.object.deletionTimestamp() == null;
  }

  /** True if the Job does not want the pod, whatever its parallelism. */
  private boolean isStray(PodView pod) {
    return job.spec.isIndexed()
        && (job.hadNot(pod.index())
            || PodLaws.recorded(job.status, pod.index())
            || pods.stream().filter(other -> other.index() == pod.index()).count() > 1);
  }

  /** Checks the pods that are left, once everything has happened. */
  void check() {
    if (!goesOn() || job.object.generation() != generation + 1) {
      return;
    }
    List<PodView> left = pods.stream().flatMap(this::unchanged).toList();
    for (PodView gone : pods) {
      if (job.letGo.contains(gone.uid()) && !job.everSucceeded.contains(gone.index())) {
        left.forEach(pod ->
            PodLaws.require(
                FIRST_TO_GO.compare(gone, pod) < 0, gone, "is let go before a lesser one, " + pod));
      }
    }
  }

  /** Returns a pod that runs as it did at the beginning; empty if it does not. */
  private Stream<PodView> unchanged(PodView before) {
    PodView now = history.pod(before.uid());
    boolean same =
        now != null
            && now.isActive()
            && now.tracked()
            && now.phase() == before.phase()
            && now.ready() == before.ready();
    return same ? Stream.of(before) : Stream.of();
  }
}
