package dev.stint.cli.follow;

import dev.stint.cluster.Cluster;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads who owns pods, and remembers the last answers. For one thread at a time. */
final class PodOwners {
  private static final int MOST_REMEMBERED = 100;

  private final Cluster cluster;
  private final SequencedMap<ObjectRef, CompletableFuture<Owner>> asked = new LinkedHashMap<>();

  /**
   * The controller of a pod.
   *
   * @param isRead false if the pod cannot be read
   * @param uid null if there is none, or it is unknown
   */
  record Owner(boolean isRead, @Nullable String uid) {
    private static final Owner UNREAD = new Owner(false, null);

    private static Owner of(@Nullable KubeObject pod) {
      return pod == null ? UNREAD : new Owner(true, pod.controllerUid());
    }
  }

  PodOwners(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Completes with the owner of a pod. */
  CompletableFuture<Owner> of(ObjectRef pod) {
    CompletableFuture<Owner> known = asked.get(pod);
    if (known != null) {
      return known;
    }
    CompletableFuture<Owner> owner = cluster.get(pod).handle((found, _) -> Owner.of(found));
    asked.put(pod, owner);
    if (asked.size() > MOST_REMEMBERED) {
      asked.pollFirstEntry();
    }
    return owner;
  }
}
