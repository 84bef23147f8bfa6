package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The law that a Job deletes its counted pods as its annotation says, and no other ones. */
final class KeptPodsLaws {
  private final History history;

  KeptPodsLaws(History history) {
    this.history = history;
  }

  /**
   * Checks a change of a pod of a Job that is not being deleted.
   *
   * @param after null if the pod was removed
   */
  void changed(History.Job job, PodView was, @Nullable KubeObject after) {
    boolean deleted = after == null || history.seen(after).deleting();
    if (!was.hasStopped()
        || was.deleting()
        || !deleted
        || job.letGo.contains(was.uid())
        || history.deletedByOthers.contains(was.uid())) {
      return;
    }
    String keeps = Oracle.keepPods(job.object);
    PodLaws.require(!was.tracked(), was, "is deleted before it is counted");
    PodLaws.require(!keeps.isEmpty(), was, "is deleted by a Job that keeps it");
    if (keeps.equals("failed")) {
      PodLaws.require(was.hasSucceeded(), was, "failed and is deleted");
    } else if (!keeps.isEmpty() && !keeps.equals("none")) {
      long newer =
          job.finished.values().stream().filter(end -> !end.isBefore(was.finishTime())).count() - 1;
      boolean holds = newer >= Integer.parseInt(keeps) || job.disturbed;
      PodLaws.require(holds, was, "is deleted, one of the newest");
    }
  }

  /** Checks a Job that has ended: only the pods that it keeps are left. */
  void checkEnd(History.Job job) {
    String keeps = Oracle.keepPods(job.object);
    List<PodView> left = finished(job);
    boolean holds =
        switch (keeps) {
          case "" -> true;
          case "failed" -> left.stream().noneMatch(PodView::hasSucceeded);
          case "none" -> left.isEmpty();
          default -> left.size() <= Integer.parseInt(keeps);
        };
    StatusLaws.require(holds, job, job.status, "keeps more pods than it asks for: " + left);
  }

  private List<PodView> finished(History.Job job) {
    return history
        .podsOf(job)
        .filter(pod -> pod.hasStopped() && !pod.deleting() && !history.isMoved(pod.uid()))
        .toList();
  }
}
