package dev.stint.jobs;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ObjectList;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.ResourceVersions;
import dev.stint.model.job.JobStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Removes the pods of Jobs where no controller would delete them, and none of them runs.
 *
 * <p>The pods of a namespace are listed once for all of its finished Jobs: a directory may have
 * 10,000 of these and 100,000 pods. For one thread.
 */
public final class JobPodRemoval {
  private final Cluster cluster;

  /** The last list of each namespace. */
  private final Map<String, Listed> lists = new HashMap<>();

  /**
   * Creates a removal that has listed nothing yet.
   *
   * @param cluster the API, which is asked when pods are removed
   */
  public JobPodRemoval(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * A pod of a Job: as little of it as its removal needs, since all of a namespace are kept.
   *
   * @param held true if the pod has finalizers
   */
  private record ListedPod(String name, String uid, boolean held) {
    static ListedPod of(KubeObject pod) {
      return new ListedPod(pod.name(), pod.uid(), !pod.finalizers().isEmpty());
    }
  }

  /** The pods of all Jobs of a namespace at one revision. */
  private static final class Listed {
    private final Map<String, List<ListedPod>> byJob = new HashMap<>();
    private String revision = "";

    /** Adds a part of the list. Pods that come twice are removed once. */
    CompletableFuture<?> add(ObjectList part) {
      if (!part.resourceVersion().equals(revision)) {
        revision = part.resourceVersion();
        byJob.clear();
      }
      for (KubeObject pod : part.items()) {
        String job = pod.controllerUid();
        if (job != null) {
          byJob.computeIfAbsent(job, _ -> new ArrayList<>()).add(ListedPod.of(pod));
        }
      }
      return CompletableFuture.completedFuture(null);
    }

    /** True if it has all pods of a Job: one that had finished before has got none since. */
    boolean isCompleteFor(KubeObject job) {
      return JobStatus.read(job.status()).isFinished()
          && !ResourceVersions.isNewer(job.resourceVersion(), revision);
    }
  }

  /**
   * Removes the pods of a Job at once, whatever their finalizers. They may be gone already.
   *
   * @param job as it was read last
   */
  public void removePodsOf(KubeObject job) {
    Listed known = lists.get(job.namespace());
    Listed listed = known != null && known.isCompleteFor(job) ? known : list(job.namespace());
    listed
        .byJob
        .getOrDefault(job.uid(), List.of())
        .forEach(pod ->
            JobChanges.removeNow(
                cluster,
                new ObjectRef(Kind.POD, job.namespace(), pod.name()),
                pod.uid(),
                pod.held()));
  }

  private Listed list(String namespace) {
    Listed listed = new Listed();
    ApiCalls.await(cluster.list(Kind.POD, namespace, listed::add));
    lists.put(namespace, listed);
    return listed;
  }
}
