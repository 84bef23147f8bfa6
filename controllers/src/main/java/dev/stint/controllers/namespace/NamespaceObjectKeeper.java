package dev.stint.controllers.namespace;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.EventLoop;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.QueueMetrics;
import dev.stint.reconcile.WorkQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Keeps one object in every active namespace, and keeps it as it should be. */
final class NamespaceObjectKeeper implements Controller {
  /** The object that each namespace has to have. */
  interface RequiredObject {
    Kind kind();

    String name();

    /** Returns the object to create, without its namespace. */
    ObjectNode document();

    /** Returns the existing object, corrected; null if it is correct. */
    @Nullable KubeObject corrected(KubeObject found);
  }

  private final RequiredObject wanted;
  private final Cluster cluster;
  private final EventLoop loop;
  private final Informer namespaces;
  private final Informer objects;
  private final WorkQueue<String> queue;

  /** Names of the active namespaces, by uid. */
  private final Map<String, String> active = new HashMap<>();

  /** Namespaces of the correct objects, by uid. */
  private final Map<String, String> present = new HashMap<>();

  private final Set<Kind> listed = new HashSet<>();

  /**
   * Creates a controller that is not started yet.
   *
   * @param name the controller's name in the log
   * @param loop the event loop that runs all of its work
   */
  NamespaceObjectKeeper(
      String name, RequiredObject wanted, Cluster cluster, EventLoop loop, QueueMetrics metrics) {
    this.wanted = wanted;
    this.cluster = cluster;
    this.loop = loop;
    this.queue = new WorkQueue<>(name, loop, metrics, this::work);
    this.namespaces = new Informer(cluster, Kind.NAMESPACE, loop, new NamespaceListener());
    this.objects = new Informer(cluster, wanted.kind(), loop, new ObjectListener());
  }

  @Override
  public void start() {
    loop.execute(() -> {
      namespaces.start();
      objects.start();
    });
  }

  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      namespaces.close();
      objects.close();
    });
  }

  private final class NamespaceListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject namespace) {
      if (namespace.deletionTimestamp() == null) {
        active.put(namespace.uid(), namespace.name());
        queue.add(namespace.name());
      } else {
        active.remove(namespace.uid());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      active.remove(uid);
    }

    @Override
    public void onSynced() {
      openAfter(Kind.NAMESPACE);
    }
  }

  private final class ObjectListener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject object) {
      if (!object.name().equals(wanted.name())) {
        return;
      }
      if (wanted.corrected(object) == null) {
        present.put(object.uid(), object.namespace());
      } else {
        present.remove(object.uid());
        queue.add(object.namespace());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      String namespace = present.remove(uid);
      if (namespace != null) {
        queue.add(namespace);
      }
    }

    @Override
    public void onSynced() {
      openAfter(wanted.kind());
    }
  }

  private void openAfter(Kind kind) {
    listed.add(kind);
    if (listed.size() == 2) {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> work(String namespace) {
    if (!active.containsValue(namespace) || present.containsValue(namespace)) {
      return ClusterRequests.NOTHING;
    }
    ObjectRef ref = new ObjectRef(wanted.kind(), namespace, wanted.name());
    return ClusterRequests.find(cluster, ref)
        .thenCompose(found -> found == null ? create(namespace) : correct(found))
        .<@Nullable Void>thenApply(_ -> null)
        .exceptionallyComposeAsync(failure -> onRefusal(namespace, failure), loop);
  }

  private CompletableFuture<KubeObject> create(String namespace) {
    return cluster.create(newObject(namespace));
  }

  /**
   * Corrects the object, or creates it again if it was deleted meanwhile: no event would report
   * that.
   */
  private CompletableFuture<KubeObject> correct(KubeObject found) {
    KubeObject mended = wanted.corrected(found);
    return mended == null
        ? CompletableFuture.completedFuture(found)
        : cluster
            .update(mended)
            .exceptionallyCompose(failure ->
                ClusterRequests.hasReason(failure, Reason.NOT_FOUND)
                    ? create(found.namespace())
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Handles a refusal: the object may exist already, and a namespace that is being deleted needs
   * none.
   */
  private CompletableFuture<@Nullable Void> onRefusal(String namespace, Throwable failure) {
    if (ClusterRequests.hasReason(failure, Reason.ALREADY_EXISTS)
        || ClusterRequests.hasReason(failure, Reason.NOT_FOUND)) {
      return ClusterRequests.NOTHING;
    }
    if (!ClusterRequests.hasReason(failure, Reason.FORBIDDEN)) {
      return CompletableFuture.failedFuture(failure);
    }
    return ClusterRequests.find(cluster, new ObjectRef(Kind.NAMESPACE, "", namespace))
        .thenCompose(found ->
            found == null || found.deletionTimestamp() != null
                ? ClusterRequests.NOTHING
                : CompletableFuture.failedFuture(failure));
  }

  private KubeObject newObject(String namespace) {
    ObjectNode tree = wanted.document();
    tree.put("apiVersion", wanted.kind().apiVersion()).put("kind", wanted.kind().kind());
    tree.withObjectProperty("metadata").put("name", wanted.name()).put("namespace", namespace);
    return KubeObject.of(tree);
  }
}
