package dev.stint.embedded.benchmark;

import dev.stint.model.KubeObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Selects the pods that a benchmark runs: those of its own Jobs, by the uid that the API gave them.
 * Others' pods must neither run on the user's machine nor count as done. Used by several threads.
 */
final class MeasuredPods implements Predicate<KubeObject> {
  private final String namespace;
  private final Set<String> jobs = ConcurrentHashMap.newKeySet();

  /** The uids of controllers that were unknown when a pod of theirs came. */
  private final Set<String> passedOver = ConcurrentHashMap.newKeySet();

  /**
   * @param namespace the namespace of the Jobs
   */
  MeasuredPods(String namespace) {
    this.namespace = namespace;
  }

  /**
   * Adds a Job.
   *
   * @return true if pods of it came before: they have to be looked at again
   */
  boolean add(KubeObject job) {
    jobs.add(job.uid());
    return passedOver.remove(job.uid());
  }

  @Override
  public boolean test(KubeObject pod) {
    String controller = pod.controllerUid();
    if (controller == null || !pod.namespace().equals(namespace)) {
      return false;
    }
    if (jobs.contains(controller)) {
      return true;
    }
    // Noted before the second look, so that a Job that is added meanwhile is not missed.
    passedOver.add(controller);
    return jobs.contains(controller);
  }
}
