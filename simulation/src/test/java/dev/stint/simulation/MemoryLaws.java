package dev.stint.simulation;

import dev.stint.engine.pod.PodView;
import dev.stint.model.KubeObject;
import java.util.List;
import java.util.Objects;

/**
 * The law that a pod has the memory of its template, or more if a pod of its index (any pod of its
 * Job, without indexes) ran out of it: as much more as the Job's annotation says.
 */
final class MemoryLaws {
  private final History history;

  MemoryLaws(History history) {
    this.history = history;
  }

  void created(History.Job job, KubeObject pod, PodView view) {
    int memory = Oracle.memory(pod);
    int template = Oracle.memory(template(job));
    int most = Math.max(template, job.memory.getOrDefault(view.index(), 0));
    require(memory <= most, view, "has " + memory + "Mi, more than it may, " + most);
    int least = Math.max(template, least(job, view));
    require(memory >= least, view, "has " + memory + "Mi, less than it needs, " + least);
  }

  /** Returns a pod that is like the template. */
  private static KubeObject template(History.Job job) {
    return KubeObject.of(job.spec.template());
  }

  /** Returns the memory that follows from the pods that the controller must have seen. */
  private int least(History.Job job, PodView view) {
    return history.perIndex(job) ? ofIndex(job, view) : ofJob(job, view);
  }

  /** Only failures that a status has reported count here, as for delays. */
  private int ofJob(History.Job job, PodView view) {
    return history
        .podsOf(job)
        .filter(other -> other.index() == view.index())
        .filter(other -> job.failedAndListed.contains(other.uid()))
        .mapToInt(other -> next(job, other))
        .max()
        .orElse(0);
  }

  /** The pod replaces one of the last attempt before it, which is tracked until then. */
  private int ofIndex(History.Job job, PodView view) {
    List<PodView> before =
        history
            .podsOf(job)
            .filter(other -> other.index() == view.index() && other.tracked())
            .filter(other -> !other.deleting())
            .filter(other -> RetryLaws.attempt(other) == RetryLaws.attempt(view) - 1)
            .toList();
    return before.stream().mapToInt(other -> next(job, other)).min().orElse(0);
  }

  private int next(History.Job job, PodView pod) {
    KubeObject object = Objects.requireNonNull(history.pods.get(pod.uid()));
    return Oracle.nextMemory(job.object, object);
  }

  private static void require(boolean holds, PodView pod, String otherwise) {
    PodLaws.require(holds, pod, otherwise);
  }
}
