package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.model.KubeObject;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that runs Jobs of a manager.
 *
 * @param name null if it is the only one, which gets all Jobs
 * @param selector true for the labels of Jobs that it takes
 * @param pods the number of pods that it has room for; 0 if all workers are equal
 */
public record MirrorWorker(
    @Nullable String name, Cluster cluster, Predicate<Map<String, String>> selector, int pods) {

  /** Returns the only worker of a manager. */
  public static MirrorWorker only(Cluster cluster) {
    return new MirrorWorker(null, cluster, _ -> true, 0);
  }

  /** Returns the same worker behind another client. */
  public MirrorWorker with(Cluster client) {
    return new MirrorWorker(name, client, selector, pods);
  }

  /** Reads which cluster this is: a uid that no other cluster has. */
  public static CompletableFuture<String> identity(Cluster cluster) {
    return ClusterHealth.identity(cluster);
  }

  /** Returns the worker's name in messages. */
  String title() {
    return title(name);
  }

  /** True if a Job is assigned to this worker. */
  boolean isAssigned(KubeObject job) {
    return isAssigned(name, job);
  }

  static boolean isAssigned(@Nullable String worker, KubeObject job) {
    return worker == null || worker.equals(job.annotation(MirrorNames.ASSIGNED));
  }

  static String title(@Nullable String name) {
    return name == null ? "the worker cluster" : "the worker cluster " + name;
  }
}
