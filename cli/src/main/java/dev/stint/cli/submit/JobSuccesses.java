package dev.stint.cli.submit;

import dev.stint.cluster.Cluster;
import dev.stint.jobs.JobChanges;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.index.IndexSet;
import dev.stint.model.job.JobStatus;
import dev.stint.model.pod.PodPhase;
import java.util.List;
import java.util.function.Predicate;

/**
 * The indexes of a Job that have succeeded. If Stint was killed, some pods of an unfinished Job
 * have succeeded that no controller has counted yet.
 */
final class JobSuccesses {
  private JobSuccesses() {}

  static IndexSet of(Cluster cluster, KubeObject job, Predicate<KubeObject> ended) {
    boolean finished = JobStatus.read(job.status()).isFinished();
    return of(job, finished ? List.of() : JobChanges.pods(cluster, job), ended);
  }

  /**
   * Returns the indexes that are counted, and those of the pods that have succeeded.
   *
   * @param ended true for a pod that ended with success, though its status does not say so yet
   */
  static IndexSet of(KubeObject job, List<KubeObject> pods, Predicate<KubeObject> ended) {
    IndexSet.Builder more = IndexSet.builder();
    for (KubeObject pod : pods) {
      String index = pod.annotation(Names.COMPLETION_INDEX);
      if (index != null && index.matches("\\d{1,9}") && hasSucceeded(pod, ended)) {
        more.add(Integer.parseInt(index));
      }
    }
    return JobStatus.read(job.status()).completedIndexes().union(more.build());
  }

  private static boolean hasSucceeded(KubeObject pod, Predicate<KubeObject> ended) {
    PodPhase phase = PodPhase.of(pod);
    return phase == PodPhase.Succeeded || (phase != PodPhase.Failed && ended.test(pod));
  }
}
