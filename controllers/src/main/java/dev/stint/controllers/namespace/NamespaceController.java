package dev.stint.controllers.namespace;

import static java.util.stream.Collectors.partitioningBy;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ObjectList;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.ExponentialBackoff;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the contents of namespaces that are being deleted, and finalizes the namespaces once they
 * are empty (Kubernetes documentation, Namespaces).
 *
 * <p>It works in rounds: lists all objects, deletes those that are not being deleted yet, and
 * repeats after a growing delay. Pods are deleted first. A round that finds pods, or cannot list
 * them, leaves all else alone, so that the objects that a pod depends on outlive it (KEP-5080). A
 * namespace counts as empty only after a whole round, begun after its deletion, found nothing.
 */
public final class NamespaceController implements Controller {
  /** The entry of {@code spec.finalizers} that this controller removes. */
  static final String FINALIZER = "kubernetes";

  private static final Logger LOG = LoggerFactory.getLogger(NamespaceController.class);
  private static final ExponentialBackoff NEXT_ROUND =
      new ExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(5));
  private static final int DELETIONS_AT_ONCE = 16;

  private final Cluster cluster;
  private final EventLoop loop;
  private final Supplier<List<Kind>> kinds;
  private final Informer namespaces;
  private final WorkQueue<String> queue;

  /** Names of namespaces that are being deleted, by uid. */
  private final Map<String, String> ending = new HashMap<>();

  private final Map<String, Integer> rounds = new HashMap<>();

  /** Returns those of the served kinds to delete: all namespaced ones. */
  public static List<Kind> contents(List<Kind> served) {
    return served.stream().filter(Kind::namespaced).toList();
  }

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param kinds returns the kinds to delete; all must be namespaced and served, since a namespace
   *     is not finalized while one cannot be listed
   */
  public NamespaceController(
      Cluster cluster, EventLoop loop, Metrics metrics, Supplier<List<Kind>> kinds) {
    this.cluster = cluster;
    this.loop = loop;
    this.kinds = kinds;
    this.queue =
        new WorkQueue<>("namespace controller", loop, metrics.queue("namespace"), this::work);
    this.namespaces = new Informer(cluster, Kind.NAMESPACE, loop, new Listener());
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(namespaces::start);
  }

  /** Stops following the API. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      namespaces.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject namespace) {
      if (namespace.deletionTimestamp() != null) {
        ending.put(namespace.uid(), namespace.name());
        queue.add(namespace.name());
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      String name = ending.remove(uid);
      if (name != null) {
        rounds.remove(name);
        queue.forget(name);
      }
    }

    @Override
    public void onSynced() {
      queue.open();
    }
  }

  private CompletableFuture<@Nullable Void> work(String name) {
    return ClusterRequests.find(cluster, new ObjectRef(Kind.NAMESPACE, "", name))
        .thenComposeAsync(
            namespace ->
                namespace == null
                        || namespace.deletionTimestamp() == null
                        || !hasFinalizer(namespace)
                    ? ClusterRequests.NOTHING
                    : round(namespace),
            loop);
  }

  private static boolean hasFinalizer(KubeObject namespace) {
    ArrayNode finalizers = Json.arrayAt(namespace.spec(), "finalizers");
    if (finalizers != null) {
      for (JsonNode finalizer : finalizers) {
        if (FINALIZER.equals(finalizer.asString(""))) {
          return true;
        }
      }
    }
    return false;
  }

  private CompletableFuture<@Nullable Void> round(KubeObject namespace) {
    NamespaceContents contents = new NamespaceContents();
    Map<Boolean, List<Kind>> byPod = kinds.get().stream().collect(partitioningBy(Kind.POD::equals));
    return empty(byPod.getOrDefault(true, List.of()), namespace.name(), contents)
        .thenComposeAsync(
            _ ->
                contents.isEmpty()
                    ? empty(byPod.getOrDefault(false, List.of()), namespace.name(), contents)
                    : ClusterRequests.NOTHING,
            loop)
        .thenComposeAsync(_ -> onRoundEnd(namespace, contents), loop);
  }

  private CompletableFuture<@Nullable Void> empty(
      List<Kind> kinds, String namespace, NamespaceContents contents) {
    return ClusterRequests.each(kinds, 1, kind -> empty(kind, namespace, contents));
  }

  /**
   * Deletes all objects of one kind, part by part: all of them may be more than the heap. A failure
   * is reported, and does not stop the other kinds.
   */
  private CompletableFuture<@Nullable Void> empty(
      Kind kind, String namespace, NamespaceContents contents) {
    return cluster
        .list(kind, namespace, part -> deleteOnLoop(kind, part, contents))
        .thenCompose(_ -> ClusterRequests.NOTHING)
        .exceptionallyAsync(
            failure -> {
              Throwable cause = ClusterException.causeOf(failure);
              contents.addFailure(kind, String.valueOf(cause.getMessage()));
              if (!(cause instanceof ClusterException)) {
                LOG.error(
                    "Cannot delete {} in namespace {}; retrying", kind.plural(), namespace, cause);
              }
              return null;
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> deleteOnLoop(
      Kind kind, ObjectList part, NamespaceContents contents) {
    return ClusterRequests.NOTHING.thenComposeAsync(
        _ -> {
          contents.addObjects(kind, part.items());
          return delete(kind, part);
        },
        loop);
  }

  private CompletableFuture<@Nullable Void> delete(Kind kind, ObjectList part) {
    List<KubeObject> standing =
        part.items().stream().filter(object -> object.deletionTimestamp() == null).toList();
    return ClusterRequests.each(
        standing,
        DELETIONS_AT_ONCE,
        object ->
            ClusterRequests.unlessGone(
                cluster.delete(
                    new ObjectRef(kind, object.namespace(), object.name()),
                    DeleteOptions.only(object.uid()))));
  }

  private CompletableFuture<@Nullable Void> onRoundEnd(
      KubeObject namespace, NamespaceContents contents) {
    if (contents.isEmpty()) {
      return ClusterRequests.unlessGone(cluster.updateFinalize(withoutFinalizer(namespace)));
    }
    int round = rounds.merge(namespace.name(), 1, Integer::sum);
    queue.addAt(namespace.name(), loop.now().plus(NEXT_ROUND.delay(round)));
    KubeObject told = NamespaceConditions.updated(namespace, contents, loop.now());
    return told == null
        ? ClusterRequests.NOTHING
        : ClusterRequests.unlessGone(cluster.updateStatus(told));
  }

  private static KubeObject withoutFinalizer(KubeObject namespace) {
    ObjectNode copy = namespace.copy();
    ObjectNode spec = copy.withObjectProperty("spec");
    ArrayNode kept = Json.array();
    ArrayNode finalizers = Json.arrayAt(spec, "finalizers");
    if (finalizers != null) {
      for (JsonNode finalizer : finalizers) {
        if (!FINALIZER.equals(finalizer.asString(""))) {
          kept.add(finalizer);
        }
      }
    }
    spec.set("finalizers", kept);
    return KubeObject.of(copy);
  }
}
