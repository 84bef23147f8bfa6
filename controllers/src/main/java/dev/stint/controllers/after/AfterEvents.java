package dev.stint.controllers.after;

import dev.stint.cluster.Cluster;
import dev.stint.controllers.after.AfterGraph.Dependant;
import dev.stint.model.FewNames;
import dev.stint.model.KubeObject;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.After.Predecessor;
import dev.stint.model.job.options.JobOptions;
import dev.stint.reconcile.EventRecorder;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The events about Jobs that start after others. */
final class AfterEvents {
  private final EventRecorder recorder;

  /** The last obstacle that was told of each Job, by uid; prevents repeats. */
  private final Map<String, String> told = new HashMap<>();

  AfterEvents(Cluster cluster, InstantSource clock) {
    this.recorder = new EventRecorder(cluster, clock, "after-controller");
  }

  /** Records that a Job was started. */
  void onStart(Dependant dependant) {
    List<String> names = dependant.after().predecessors().stream().map(Predecessor::name).toList();
    recorder.event(
        dependant.job(), false, "DependenciesMet", "Started after " + FewNames.of(names));
  }

  /** Records a warning about a lasting obstacle, once. */
  void tell(KubeObject job, String reason, String message) {
    if (!message.equals(told.put(job.uid(), message))) {
      recorder.event(job, true, reason, message);
    }
  }

  /** Records the fault of the annotation, if it has one. */
  void tellMalformed(KubeObject job) {
    String complaint = JobOptions.of(job).complaints().get(After.ANNOTATION);
    if (complaint != null) {
      tell(job, "InvalidAnnotation", After.ANNOTATION + " is ignored: it " + complaint);
    }
  }

  /** Records that there is no obstacle now, so that a later one is told again. */
  void clear(String uid) {
    told.remove(uid);
  }

  /** Forgets a Job. */
  void forget(String uid) {
    told.remove(uid);
    recorder.forget(uid);
  }
}
