package dev.stint.embedded;

import dev.stint.apiserver.access.BuiltInRoles;
import dev.stint.apiserver.flowcontrol.FlowControlObjects;
import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates the objects that every cluster has from its first day on. Runs at every start; existing
 * objects stay.
 */
public final class Bootstrap {
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease");

  private final Cluster cluster;

  public Bootstrap(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Creates what is missing; completes when everything exists. */
  public CompletableFuture<@Nullable Void> run() {
    return usedNamespaces()
        .thenCompose(used -> {
          List<CompletableFuture<?>> made = new ArrayList<>();
          used.addAll(NAMESPACES);
          used.forEach(name -> made.add(create(namespace(name))));
          made.add(BuiltInRoles.into(cluster));
          made.add(FlowControlObjects.createMissing(cluster));
          made.add(create(priorityClass("system-cluster-critical", 2_000_000_000)));
          made.add(create(priorityClass("system-node-critical", 2_000_001_000)));
          return CompletableFuture.allOf(made.toArray(CompletableFuture[]::new));
        });
  }

  /**
   * Returns the namespaces of stored Jobs; Jobs may have been stored while namespaces need not
   * exist. Returns none if a Job cannot be read.
   */
  private CompletableFuture<Set<String>> usedNamespaces() {
    return cluster
        .list(Kind.JOB, null)
        .thenApply(jobs -> {
          Set<String> used = new TreeSet<>();
          jobs.items().forEach(job -> used.add(job.namespace()));
          return used;
        })
        .exceptionally(unreadable -> new TreeSet<>());
  }

  private CompletableFuture<@Nullable Void> create(KubeObject object) {
    return cluster
        .create(object)
        .handle((created, failure) -> {
          if (failure == null
              || ClusterException.causeOf(failure) instanceof ClusterException known
                  && known.reason() == Reason.ALREADY_EXISTS) {
            return null;
          }
          throw failure instanceof RuntimeException known
              ? known
              : new IllegalStateException(failure);
        });
  }

  private static KubeObject namespace(String name) {
    return KubeObject.of(document(Kind.NAMESPACE, name));
  }

  private static KubeObject priorityClass(String name, int value) {
    ObjectNode document = document(Kind.PRIORITY_CLASS, name);
    document.put("value", value);
    document.put("preemptionPolicy", "PreemptLowerPriority");
    document.put("description", "For what the cluster itself cannot do without.");
    return KubeObject.of(document);
  }

  private static ObjectNode document(Kind kind, String name) {
    ObjectNode document = Json.object();
    document.put("apiVersion", kind.apiVersion());
    document.put("kind", kind.kind());
    document.putObject("metadata").put("name", name);
    return document;
  }
}
