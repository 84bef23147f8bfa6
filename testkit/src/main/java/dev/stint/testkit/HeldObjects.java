package dev.stint.testkit;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.DeleteOptions;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import dev.stint.testkit.time.BlockingAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The objects in a namespace that finalizers of an operator hold. After a test they are deleted,
 * too: by their operator, if it still runs, and otherwise in spite of it.
 */
final class HeldObjects {
  /** The real time that an operator has: it takes milliseconds, or has been stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The control plane itself removes these. */
  private static final Set<String> OWN =
      Set.of(Names.TRACKING_FINALIZER, Names.FOREGROUND_FINALIZER, Names.ORPHAN_FINALIZER);

  private final Cluster cluster;
  private final List<ObjectRef> held = new ArrayList<>();
  private final List<CompletableFuture<@Nullable Void>> removals = new ArrayList<>();

  private HeldObjects(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Deletes the held objects of a namespace; returns when no finalizer of an operator is left.
   *
   * @param kinds all that may have objects there
   */
  static void delete(Cluster cluster, List<Kind> kinds, String namespace) {
    HeldObjects objects = new HeldObjects(cluster);
    for (Kind kind : kinds) {
      objects.list(kind, namespace).stream()
          .filter(HeldObjects::isHeld)
          .forEach(object -> objects.delete(new ObjectRef(kind, namespace, object.name()), object));
    }
    if (!objects.areSoonGone()) {
      objects.held.forEach(objects::release);
    }
  }

  /** Returns the objects of a kind; none if the test has just deleted its definition. */
  private List<KubeObject> list(Kind kind, String namespace) {
    try {
      return BlockingAnswers.of(cluster.list(kind, namespace)).items();
    } catch (ClusterException refusal) {
      if (refusal.reason() == Reason.NOT_FOUND || refusal.reason() == Reason.BAD_REQUEST) {
        return List.of();
      }
      throw refusal;
    }
  }

  private static boolean isHeld(KubeObject object) {
    return !OWN.containsAll(object.finalizers());
  }

  private void delete(ObjectRef ref, KubeObject object) {
    unlessGone(cluster.delete(ref, DeleteOptions.only(object.uid())));
    CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();
    new DeletionWait(cluster, ref, gone).start();
    held.add(ref);
    removals.add(gone);
  }

  private boolean areSoonGone() {
    CompletableFuture<?>[] all = removals.toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(all)
        .handle((_, unknown) -> unknown == null)
        .completeOnTimeout(false, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private void release(ObjectRef ref) {
    unlessGone(cluster.patch(ref, Json.parse("{\"metadata\": {\"finalizers\": null}}")));
  }

  private static void unlessGone(CompletableFuture<?> request) {
    try {
      BlockingAnswers.of(request);
    } catch (ClusterException refusal) {
      if (refusal.reason() != Reason.NOT_FOUND) {
        throw refusal;
      }
    }
  }
}
