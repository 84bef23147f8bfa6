package dev.stint.embedded.benchmark;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ForwardingCluster;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.pod.PodPhase;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** A cluster that tells which pods have ended, once it has stored that. */
final class StoredEnds extends ForwardingCluster {
  private final Consumer<KubeObject> told;

  StoredEnds(Cluster cluster, Consumer<KubeObject> told) {
    super(cluster);
    this.told = told;
  }

  @Override
  public CompletableFuture<KubeObject> patchStatus(ObjectRef ref, ObjectNode mergePatch) {
    return super.patchStatus(ref, mergePatch)
        .thenApply(stored -> {
          if (PodPhase.of(stored).isTerminal()) {
            told.accept(stored);
          }
          return stored;
        });
  }
}
