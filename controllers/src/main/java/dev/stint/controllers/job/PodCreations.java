package dev.stint.controllers.job;

import dev.stint.model.KubeObject;
import dev.stint.model.job.JobStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The creations of one Job's pods: their names, those without a clear answer, and how many may be
 * under way at once.
 */
final class PodCreations {
  private final PodNameGenerator names = new PodNameGenerator();

  /** The names of failed creations, by completion index, to be tried again. */
  private final Map<Integer, List<String>> retries = new HashMap<>();

  /** The indexes of pods whose creation had no clear answer, by name. */
  private final Map<String, Integer> unanswered = new HashMap<>();

  private int batch = 1;

  /** Returns the number of pods that may be created at once; it doubles while creations succeed. */
  int batch() {
    return batch;
  }

  void onBatchCreated(int most) {
    batch = Math.min(2 * batch, most);
  }

  void onBatchFailure() {
    batch = 1;
  }

  /** Records that a pod with that name exists, whoever owns it. */
  void markTaken(String name) {
    names.put(name);
  }

  /** Records that the pod with that name is gone. */
  void markFree(String name) {
    names.remove(name);
  }

  /** Returns the names for one plan. */
  PodNameGenerator.Choice names(KubeObject job, JobStatus stored) {
    return names.choice(job, stored);
  }

  /** Returns the name for a pod of the index: that of a failed creation, or a new one. */
  String name(PodNameGenerator.Choice choice, String prefix, int index) {
    List<String> failed = retries.get(index);
    if (failed == null) {
      return choice.next(prefix, index);
    }
    String name = failed.removeLast();
    if (failed.isEmpty()) {
      retries.remove(index);
    }
    choice.give(name);
    return name;
  }

  /** Records a name that the next creation for the index tries again. */
  void retry(int index, String name) {
    retries.computeIfAbsent(index, _ -> new ArrayList<>()).add(name);
  }

  /** Records that a creation had no clear answer: the pod may exist. */
  void markUnanswered(String name, int index) {
    unanswered.put(name, index);
  }

  /** Returns the indexes of the pods that may exist, by name. */
  Map<String, Integer> unanswered() {
    return new HashMap<>(unanswered);
  }

  /** Records that it is known whether the pod exists. Returns true if it was not known before. */
  boolean onAnswer(String name) {
    return unanswered.remove(name) != null;
  }
}
