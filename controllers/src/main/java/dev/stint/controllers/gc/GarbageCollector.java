package dev.stint.controllers.gc;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.metrics.Metrics;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.reconcile.ClusterRequests;
import dev.stint.reconcile.Controller;
import dev.stint.reconcile.Informer;
import dev.stint.reconcile.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects without owners, and completes foreground and orphaning deletions (Kubernetes
 * documentation, Garbage Collection).
 *
 * <p>All of its state comes from the API, so it may be stopped at any moment and its successor
 * continues. It deletes only with certainty: a watch has reported the owner's deletion, or the API
 * has confirmed it.
 *
 * <p>Custom kinds are followed while they are served. A reference to a kind that nobody serves says
 * nothing of its owner, so its dependents stay.
 */
public final class GarbageCollector implements Controller {
  private static final int REMEMBERED_ABSENCES = 1000;

  /**
   * The objects that are worked on at once. Each deletion waits for the disk, and the pods of a
   * large Job must not go more slowly than those of the next one come.
   */
  private static final int WIDTH = 256;

  private final Cluster cluster;
  private final EventLoop loop;
  private final ServedKinds kinds;
  private final FollowedKinds followed;
  private final OwnerGraph graph = new OwnerGraph();
  private final WorkQueue<String> queue;

  /** Owners that certainly do not exist, by uid. Uids are never reused, so an entry stays true. */
  private final Map<String, ObjectRef> absences =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ObjectRef> eldest) {
          return size() > REMEMBERED_ABSENCES;
        }
      };

  /**
   * The reads of owners under way. An answer holds for each dependent of the same uid, whenever it
   * was seen: an owner that is missing after the first of them was seen does not come later.
   */
  private final Map<OwnerRead, CompletableFuture<@Nullable KubeObject>> reads = new HashMap<>();

  private record OwnerRead(ObjectRef ref, String uid) {}

  /**
   * The uids of objects that this collector has asked to change since it last saw them. If one
   * looks as before, it may have been changed back meanwhile: a list shows only the last state.
   */
  private final Set<String> unseen = new HashSet<>();

  /**
   * Creates a garbage collector that is not started yet.
   *
   * @param loop the event loop that runs all of its work
   * @param kinds the kinds to follow, as owners and as dependents; nothing is decided before all
   *     have been listed
   */
  public GarbageCollector(Cluster cluster, EventLoop loop, Metrics metrics, ServedKinds kinds) {
    this.cluster = cluster;
    this.loop = loop;
    this.kinds = kinds;
    this.queue =
        new WorkQueue<>(
            "garbage collector",
            loop,
            metrics.queue("garbage_collector_attempt_to_delete"),
            WIDTH,
            this::work);
    this.followed = new FollowedKinds(cluster, loop, Listener::new);
  }

  /** Starts following the API. Returns at once. */
  @Override
  public void start() {
    loop.execute(this::follow);
  }

  /** Stops following the API and deciding. Does not wait for writes in flight. */
  @Override
  public void close() {
    loop.execute(() -> {
      queue.close();
      followed.close();
    });
  }

  /** Follows the kinds that are served now, all but events, which are too many. */
  private void follow() {
    List<Kind> all = kinds.stored().stream().filter(kind -> !kind.equals(Kind.EVENT)).toList();
    if (followed.follow(all, gone -> graph.removeAll(gone).forEach(this::forget))) {
      onListsChange();
    }
  }

  /**
   * Looks at the definitions again. They may now serve a version that was not served before, or a
   * kind that has gone and come back since it was last followed.
   */
  private void onDefinition() {
    follow();
    if (followed.isReady()) {
      considerAll(graph.all().stream().filter(GraphObject::hasCustomOwner).toList());
    }
  }

  /** Decides on everything as soon as enough is known. */
  private void onListsChange() {
    if (followed.isReady()) {
      considerAll(graph.all());
      queue.open();
    }
  }

  private final class Listener implements Informer.Listener {
    private final Kind kind;

    Listener(Kind kind) {
      this.kind = kind;
    }

    @Override
    public void onUpdate(KubeObject object) {
      GraphObject before = graph.put(kind, object);
      GraphObject after = Objects.requireNonNull(graph.get(object.uid()));
      if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
        onDefinition();
      }
      boolean mayDiffer = unseen.remove(object.uid());
      if ((before != null && after.isAs(before) && !mayDiffer) || !followed.isReady()) {
        return;
      }
      consider(after);
      if (after.isWaiting() && (before == null || !before.isWaiting())) {
        considerAll(graph.dependents(after).toList());
      }
      if (before != null) {
        considerAll(graph.owners(before));
      }
    }

    @Override
    public void onDelete(String uid, String controller) {
      GraphObject before = graph.remove(uid);
      forget(uid);
      if (kind.equals(Kind.CUSTOM_RESOURCE_DEFINITION)) {
        onDefinition();
      }
      if (before == null || !followed.isReady()) {
        return;
      }
      absences.put(uid, before.ref());
      considerAll(graph.dependents(before).toList());
      considerAll(graph.owners(before));
    }

    @Override
    public void onSynced() {
      if (followed.onListed(kind)) {
        onListsChange();
      }
    }

    @Override
    public void onListFailure() {
      if (followed.onListFailure(kind)) {
        onListsChange();
      }
    }
  }

  private void considerAll(Iterable<GraphObject> objects) {
    objects.forEach(this::consider);
  }

  private void consider(GraphObject object) {
    if (!(decide(object, Map.of()) instanceof GarbageCollectorAction.Leave)) {
      queue.add(object.uid());
    }
  }

  private GarbageCollectorAction decide(
      GraphObject object, Map<OwnerReference, GarbageCollectorAction.OwnerState> asked) {
    return GarbageCollectorAction.of(
        object,
        graph,
        reference -> {
          GarbageCollectorAction.OwnerState answer = asked.get(reference);
          return answer == null ? watched(object, reference) : answer;
        });
  }

  /** Returns an owner's state according to the watches. */
  private GarbageCollectorAction.OwnerState watched(
      GraphObject dependent, OwnerReference reference) {
    GraphObject owner = graph.owner(dependent, reference);
    if (owner != null) {
      return state(owner);
    }
    ObjectRef absent = absences.get(reference.uid());
    if (absent != null && reference.refersTo(absent, dependent.ref())) {
      return GarbageCollectorAction.OwnerState.ABSENT;
    }
    return reference.owner(dependent.ref(), kinds) == null
        ? GarbageCollectorAction.OwnerState.UNKNOWN
        : GarbageCollectorAction.OwnerState.NOT_SEEN;
  }

  private static GarbageCollectorAction.OwnerState state(GraphObject owner) {
    if (owner.isOrphaning()) {
      return GarbageCollectorAction.OwnerState.ORPHANING;
    }
    return owner.isDeletingDependents()
        ? GarbageCollectorAction.OwnerState.DELETING_DEPENDENTS
        : GarbageCollectorAction.OwnerState.PRESENT;
  }

  private CompletableFuture<@Nullable Void> work(String uid) {
    GraphObject object = graph.get(uid);
    return object == null || !followed.isReady()
        ? ClusterRequests.NOTHING
        : carryOut(object, decide(object, Map.of()));
  }

  private CompletableFuture<@Nullable Void> carryOut(
      GraphObject object, GarbageCollectorAction fate) {
    return switch (fate) {
      case GarbageCollectorAction.Leave _ -> ClusterRequests.NOTHING;
      case GarbageCollectorAction.Ask(List<OwnerReference> owners) -> readOwners(object, owners);
      case GarbageCollectorAction.Delete(DeleteOptions.Propagation propagation) ->
          delete(object, propagation);
      case GarbageCollectorAction.RemoveOwners(Set<String> owners) ->
          patch(object, now -> withoutOwners(now, owners));
      case GarbageCollectorAction.Unblock(Set<String> owners) ->
          patch(object, now -> unblock(now, owners));
      case GarbageCollectorAction.Finish(String finalizer) ->
          finalizer.equals(Names.ORPHAN_FINALIZER) && !followed.isComplete()
              ? ClusterRequests.NOTHING // An unseen dependent would be deleted.
              : patch(object, now -> finish(now, finalizer));
    };
  }

  /** Deletes an object in the state that was decided on, or in a newer one with the same owners. */
  private CompletableFuture<@Nullable Void> delete(
      GraphObject object, DeleteOptions.Propagation propagation) {
    return deleteUnchanged(object, propagation)
        .exceptionallyCompose(failure ->
            ClusterRequests.hasReason(failure, Reason.CONFLICT)
                ? deleteNewer(object, propagation)
                : CompletableFuture.failedFuture(failure));
  }

  /** Remembers that an object may differ when it is seen next, unless it has gone meanwhile. */
  private void expectChange(GraphObject object) {
    if (graph.get(object.uid()) != null) {
      unseen.add(object.uid());
    }
  }

  private void forget(String uid) {
    unseen.remove(uid);
    queue.forget(uid);
  }

  private CompletableFuture<@Nullable Void> deleteUnchanged(
      GraphObject object, DeleteOptions.Propagation propagation) {
    expectChange(object);
    return ClusterRequests.unlessGone(
        cluster.delete(
            object.ref(),
            new DeleteOptions(object.uid(), object.resourceVersion(), null, propagation)));
  }

  private CompletableFuture<@Nullable Void> deleteNewer(
      GraphObject before, DeleteOptions.Propagation propagation) {
    return ClusterRequests.find(cluster, before.ref())
        .thenComposeAsync(
            found -> {
              GraphObject now = found == null ? null : GraphObject.of(before.ref().kind(), found);
              return now == null || !now.isAs(before)
                  ? ClusterRequests.NOTHING // The watch reports that, which decides again.
                  : deleteUnchanged(now, propagation);
            },
            loop);
  }

  private CompletableFuture<@Nullable Void> patch(
      GraphObject object, java.util.function.Function<KubeObject, @Nullable ObjectNode> change) {
    expectChange(object);
    return ClusterRequests.patchMetadata(cluster, object.ref(), object.uid(), change);
  }

  private CompletableFuture<@Nullable Void> readOwners(
      GraphObject object, List<OwnerReference> owners) {
    Map<OwnerReference, GarbageCollectorAction.OwnerState> asked = new HashMap<>();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (OwnerReference owner : owners) {
      ObjectRef ref = owner.owner(object.ref(), kinds);
      if (ref == null) {
        return ClusterRequests.NOTHING; // The kind has gone meanwhile.
      }
      answers.add(
          read(new OwnerRead(ref, owner.uid()))
              .thenAcceptAsync(found -> asked.put(owner, answer(ref, owner, found)), loop));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenComposeAsync(_ -> decideAgain(object.uid(), asked), loop);
  }

  private CompletableFuture<@Nullable KubeObject> read(OwnerRead owner) {
    CompletableFuture<@Nullable KubeObject> underWay = reads.get(owner);
    if (underWay != null) {
      return underWay;
    }
    CompletableFuture<@Nullable KubeObject> read = ClusterRequests.find(cluster, owner.ref());
    reads.put(owner, read);
    var _ = read.whenCompleteAsync((_, _) -> reads.remove(owner), loop);
    return read;
  }

  /** Decides again with the API's answers about the owners. */
  private CompletableFuture<@Nullable Void> decideAgain(
      String uid, Map<OwnerReference, GarbageCollectorAction.OwnerState> asked) {
    GraphObject object = graph.get(uid);
    return object == null ? ClusterRequests.NOTHING : carryOut(object, decide(object, asked));
  }

  private GarbageCollectorAction.OwnerState answer(
      ObjectRef ref, OwnerReference owner, @Nullable KubeObject found) {
    if (found != null && found.uid().equals(owner.uid())) {
      return state(GraphObject.of(ref.kind(), found));
    }
    if (!ref.kind().equals(kinds.find(owner.apiVersion(), owner.kind()))) {
      return GarbageCollectorAction.OwnerState.UNKNOWN; // The kind has gone meanwhile.
    }
    absences.put(owner.uid(), ref);
    return GarbageCollectorAction.OwnerState.ABSENT;
  }

  private static @Nullable ObjectNode withoutOwners(KubeObject object, Set<String> owners) {
    ArrayNode kept = Json.array();
    JsonNode references = Json.arrayAt(object.metadata(), "ownerReferences");
    if (references == null) {
      return null;
    }
    for (JsonNode reference : references) {
      String uid = Json.text(reference, "uid");
      if (uid == null || !owners.contains(uid)) {
        kept.add(reference);
      }
    }
    return kept.size() == references.size() ? null : with("ownerReferences", kept);
  }

  private static @Nullable ObjectNode unblock(KubeObject object, Set<String> owners) {
    JsonNode references = Json.arrayAt(object.metadata(), "ownerReferences");
    if (references == null) {
      return null;
    }
    ArrayNode changed = (ArrayNode) references.deepCopy();
    for (JsonNode reference : changed) {
      if (reference instanceof ObjectNode tree && owners.contains(Json.text(tree, "uid"))) {
        tree.put("blockOwnerDeletion", false);
      }
    }
    return with("ownerReferences", changed);
  }

  private static @Nullable ObjectNode finish(KubeObject object, String finalizer) {
    List<String> finalizers = object.finalizers();
    if (!finalizers.remove(finalizer)) {
      return null;
    }
    ArrayNode kept = Json.array();
    finalizers.forEach(kept::add);
    return with("finalizers", kept);
  }

  private static ObjectNode with(String member, ArrayNode value) {
    ObjectNode metadata = Json.object();
    metadata.set(member, value);
    return metadata;
  }
}
