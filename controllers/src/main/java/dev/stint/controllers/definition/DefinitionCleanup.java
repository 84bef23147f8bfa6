package dev.stint.controllers.definition;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.cluster.ObjectList;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.DefinedKind;
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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects of custom kinds whose definition is being deleted, and lets the definition go
 * when there are none left.
 */
public final class DefinitionCleanup implements Controller {
  private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
  private static final ExponentialBackoff NEXT_ROUND =
      new ExponentialBackoff(Duration.ofMillis(50), Duration.ofSeconds(5));
  private static final int DELETIONS_AT_ONCE = 16;

  private final Cluster cluster;
  private final EventLoop loop;
  private final Informer definitions;
  private final WorkQueue<String> queue;
  private final Map<String, Integer> rounds = new HashMap<>();

  /** Names of definitions that are being deleted, by uid. */
  private final Map<String, String> ending = new HashMap<>();

  /**
   * Creates a controller that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   */
  public DefinitionCleanup(Cluster cluster, EventLoop loop, Metrics metrics) {
    this.cluster = cluster;
    this.loop = loop;
    this.queue =
        new WorkQueue<>("definition cleanup", loop, metrics.queue("crd_finalizer"), this::work);
    this.definitions = new Informer(cluster, Kind.CUSTOM_RESOURCE_DEFINITION, loop, new Listener());
  }

  @Override
  public void start() {
    loop.execute(definitions::start);
  }

  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      definitions.close();
    });
  }

  private final class Listener implements Informer.Listener {
    @Override
    public void onUpdate(KubeObject definition) {
      if (definition.deletionTimestamp() != null) {
        ending.put(definition.uid(), definition.name());
        queue.add(definition.name());
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

  private static ObjectRef ref(String name) {
    return new ObjectRef(Kind.CUSTOM_RESOURCE_DEFINITION, "", name);
  }

  private CompletableFuture<@Nullable Void> work(String name) {
    return ClusterRequests.find(cluster, ref(name))
        .thenComposeAsync(
            definition -> {
              ArrayNode others = definition == null ? null : otherFinalizers(definition);
              return definition == null || definition.deletionTimestamp() == null || others == null
                  ? ClusterRequests.NOTHING
                  : round(definition, others);
            },
            loop);
  }

  /** Returns the finalizers of others; null if a definition has not this controller's. */
  private static @Nullable ArrayNode otherFinalizers(KubeObject definition) {
    ArrayNode all = Json.arrayAt(definition.metadata(), "finalizers");
    ArrayNode others = Json.array();
    if (all != null) {
      all.valueStream().filter(each -> !each.asString("").equals(FINALIZER)).forEach(others::add);
    }
    return all == null || all.size() == others.size() ? null : others;
  }

  private CompletableFuture<@Nullable Void> round(KubeObject definition, ArrayNode others) {
    if (!DefinitionConditions.isTrue(definition, "Established")) {
      return release(definition, others); // It never had objects.
    }
    Kind kind = DefinedKind.stored(definition);
    AtomicBoolean found = new AtomicBoolean();
    // In parts: all objects may be more than the heap.
    return cluster
        .list(
            kind,
            null,
            part -> {
              found.compareAndSet(false, !part.items().isEmpty());
              return ClusterRequests.NOTHING.thenComposeAsync(_ -> delete(kind, part), loop);
            })
        .thenComposeAsync(
            _ -> {
              if (!found.get()) {
                return release(definition, others);
              }
              again(definition.name());
              return ClusterRequests.NOTHING;
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> release(KubeObject definition, ArrayNode others) {
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .put("uid", definition.uid())
        .put("resourceVersion", definition.resourceVersion())
        .set("finalizers", others);
    return ClusterRequests.unlessGone(cluster.patch(ref(definition.name()), patch));
  }

  private CompletableFuture<@Nullable Void> delete(Kind kind, ObjectList part) {
    return ClusterRequests.each(
        part.items().stream().filter(object -> object.deletionTimestamp() == null).toList(),
        DELETIONS_AT_ONCE,
        object ->
            ClusterRequests.unlessGone(
                cluster.delete(
                    new ObjectRef(kind, object.namespace(), object.name()),
                    DeleteOptions.only(object.uid()))));
  }

  private void again(String name) {
    int round = rounds.merge(name, 1, Integer::sum);
    queue.addAt(name, loop.now().plus(NEXT_ROUND.delay(round)));
  }
}
