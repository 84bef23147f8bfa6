package dev.stint.controllers.mirror;

import dev.stint.cluster.Cluster;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of the metadata of the manager's Jobs. Each one is conditional on the state that was
 * read, so of two that were decided at once only one is made.
 */
record ManagerJobs(Cluster manager) {
  CompletableFuture<KubeObject> addFinalizer(KubeObject job) {
    return patchFinalizers(job, otherFinalizers(job).add(MirrorNames.FINALIZER));
  }

  CompletableFuture<KubeObject> removeFinalizer(KubeObject job) {
    return patchFinalizers(job, otherFinalizers(job));
  }

  /** Records the copy of a Job, and the cluster that has it. */
  CompletableFuture<KubeObject> recordCopy(KubeObject job, String copyUid, String cluster) {
    ObjectNode metadata = Json.object();
    metadata
        .putObject("annotations")
        .put(MirrorNames.COPY, copyUid)
        .put(MirrorNames.WORKER, cluster);
    return patch(job, metadata);
  }

  /**
   * Assigns a Job to a worker. What is recorded of its copy stays.
   *
   * @param moves how often the Job has moved
   */
  CompletableFuture<KubeObject> assign(KubeObject job, String worker, long moves) {
    ObjectNode metadata = Json.object();
    ObjectNode annotations = metadata.putObject("annotations");
    annotations.put(MirrorNames.ASSIGNED, worker);
    if (moves != MirrorNames.moves(job)) {
      annotations.put(MirrorNames.MOVES, Long.toString(moves));
    }
    return patch(job, metadata);
  }

  /**
   * Takes a Job from its worker, and assigns it to another one. From here on its former copy is not
   * its copy any more.
   */
  CompletableFuture<KubeObject> move(KubeObject job, String worker) {
    ObjectNode metadata = Json.object();
    metadata
        .putObject("annotations")
        .put(MirrorNames.ASSIGNED, worker)
        .put(MirrorNames.MOVES, Long.toString(MirrorNames.moves(job) + 1))
        .putNull(MirrorNames.COPY)
        .putNull(MirrorNames.WORKER);
    return patch(job, metadata);
  }

  private static ArrayNode otherFinalizers(KubeObject job) {
    ArrayNode finalizers = Json.array();
    job.finalizers().stream()
        .filter(finalizer -> !finalizer.equals(MirrorNames.FINALIZER))
        .forEach(finalizers::add);
    return finalizers;
  }

  private CompletableFuture<KubeObject> patchFinalizers(KubeObject job, ArrayNode finalizers) {
    ObjectNode metadata = Json.object();
    metadata.set("finalizers", finalizers);
    return patch(job, metadata);
  }

  private CompletableFuture<KubeObject> patch(KubeObject job, ObjectNode metadata) {
    metadata.put("uid", job.uid()).put("resourceVersion", job.resourceVersion());
    ObjectNode patch = Json.object();
    patch.set("metadata", metadata);
    return manager.patch(job.ref(), patch);
  }
}
