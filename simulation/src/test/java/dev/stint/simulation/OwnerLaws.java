package dev.stint.simulation;

import dev.stint.cluster.Cluster;
import dev.stint.cluster.ClusterRequest;
import dev.stint.cluster.EventLoop;
import dev.stint.controllers.gc.OwnerReference;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The laws of owners and dependents (Kubernetes documentation, Garbage Collection). Uids are never
 * used again, so an owner that is gone stays so, and what a request is based on may be old.
 */
final class OwnerLaws {
  private static final Set<String> OF_COLLECTOR =
      Set.of(Names.FOREGROUND_FINALIZER, Names.ORPHAN_FINALIZER);

  /** The stored objects by uid, before a change that is checked. */
  private final Map<String, KubeObject> stored;

  /** The uids of objects that were being deleted after their dependents, at some time. */
  private final Set<String> deletedLast = new HashSet<>();

  /** The uids of objects that were being deleted without their dependents, at some time. */
  private final Set<String> orphaning = new HashSet<>();

  /** The uids of those that have been dependents since the deletion of their owner began. */
  private final Map<String, Set<String>> dependents = new HashMap<>();

  /**
   * The uids of dependents by owner, as far as the garbage collector was told of them: the watch of
   * one kind may be late.
   */
  private final Map<String, Set<String>> told = new HashMap<>();

  /** The same when the collector last decided on the owner. */
  private final Map<String, Set<String>> toldAtDecision = new HashMap<>();

  /**
   * The uids of objects that the collector last asked to delete for an owner that goes last, and
   * that had dependents themselves.
   */
  private final Set<String> inTheMiddle = new HashSet<>();

  OwnerLaws(Map<String, KubeObject> stored) {
    this.stored = stored;
  }

  /** Records a durable change. */
  void changed(@Nullable KubeObject before, @Nullable KubeObject after) {
    if (before != null) {
      OwnerReference.of(before).stream()
          .map(OwnerReference::uid)
          .filter(owner -> after == null || !refersTo(after, owner))
          .forEach(owner -> dependents.getOrDefault(owner, new HashSet<>()).remove(before.uid()));
    }
    if (after == null || after.deletionTimestamp() == null) {
      return;
    }
    if (after.finalizers().contains(Names.FOREGROUND_FINALIZER)) {
      deletedLast.add(after.uid());
    }
    if (after.finalizers().contains(Names.ORPHAN_FINALIZER)) {
      orphaning.add(after.uid());
    }
    if (before == null || before.deletionTimestamp() == null) {
      dependents.put(
          after.uid(),
          stored.values().stream()
              .filter(object -> refersTo(object, after.uid()))
              .map(KubeObject::uid)
              .collect(Collectors.toCollection(HashSet::new)));
    }
  }

  /** True if an object has owners, which are gone or wait for it to go. */
  boolean mayBeCollected(KubeObject object) {
    List<OwnerReference> owners = OwnerReference.of(object);
    return !owners.isEmpty()
        && owners.stream().allMatch(owner -> isGone(owner) || deletedLast.contains(owner.uid()));
  }

  /**
   * Returns the access of a garbage collector, whose requests are checked.
   *
   * @param loop the event loop of the collector
   * @param breaks receives what is wrong with a request
   */
  Cluster observed(Cluster cluster, EventLoop loop, Consumer<String> breaks) {
    return new ObservedCluster(
        cluster,
        request -> {
          String wrong = onRequest(request);
          if (wrong != null) {
            breaks.accept(wrong);
          }
        },
        object -> loop.execute(() -> onTold(object)));
  }

  private void onTold(KubeObject object) {
    OwnerReference.of(object)
        .forEach(
            owner -> told.computeIfAbsent(owner.uid(), _ -> new HashSet<>()).add(object.uid()));
  }

  private boolean isGone(OwnerReference owner) {
    return !stored.containsKey(owner.uid());
  }

  /** The collector reads an object as soon as it has decided to change that, and then does so. */
  private @Nullable String onRequest(ClusterRequest request) {
    switch (request.verb()) {
      case GET -> onDecision(request.ref());
      case DELETE -> onDeletion(request.ref());
      case PATCH -> {
        return onPatch(KubeObject.of(Objects.requireNonNull(request.body())));
      }
      default -> {}
    }
    return null;
  }

  private @Nullable String onPatch(KubeObject change) {
    KubeObject object = stored.get(change.uid());
    if (object == null || !object.resourceVersion().equals(change.resourceVersion())) {
      return null; // It is refused.
    }
    String wrong =
        change.metadata().has("finalizers") ? finished(object, change.finalizers()) : null;
    if (wrong == null && change.metadata().has("ownerReferences")) {
      wrong = disowned(object, change);
    }
    return wrong == null ? null : object + " " + wrong;
  }

  private void onDecision(ObjectRef ref) {
    stored.values().stream()
        .filter(object -> object.deletionTimestamp() != null && isAt(ref, object))
        .map(KubeObject::uid)
        .forEach(uid -> toldAtDecision.put(uid, Set.copyOf(told.getOrDefault(uid, Set.of()))));
  }

  private void onDeletion(ObjectRef ref) {
    for (KubeObject object : stored.values()) {
      if (isAt(ref, object)) {
        inTheMiddle.remove(object.uid()); // What was asked for before was refused.
        if (isInTheMiddle(object)) {
          inTheMiddle.add(object.uid());
        }
      }
    }
  }

  private boolean isInTheMiddle(KubeObject object) {
    return OwnerReference.of(object).stream().anyMatch(this::goesLast)
        && told.getOrDefault(object.uid(), Set.of()).stream()
            .map(stored::get)
            .anyMatch(dependent -> dependent != null && refersTo(dependent, object.uid()));
  }

  private boolean goesLast(OwnerReference reference) {
    KubeObject owner = stored.get(reference.uid());
    return owner != null
        && owner.deletionTimestamp() != null
        && owner.finalizers().contains(Names.FOREGROUND_FINALIZER);
  }

  /**
   * Checks a deletion that nobody but the collector asked for.
   *
   * @param after null if the object is gone at once
   */
  @Nullable String deleted(KubeObject before, @Nullable KubeObject after) {
    boolean waits = after != null && after.finalizers().contains(Names.FOREGROUND_FINALIZER);
    return inTheMiddle.contains(before.uid()) && !waits
        ? "is to go before its dependents, though its owner goes after all of them"
        : null;
  }

  private static boolean isAt(ObjectRef ref, KubeObject object) {
    return object.name().equals(ref.name())
        && object.namespace().equals(ref.namespace())
        && object.kindName().equals(ref.kind().kind());
  }

  private @Nullable String finished(KubeObject owner, List<String> left) {
    Set<String> removed = new HashSet<>(owner.finalizers());
    left.forEach(removed::remove);
    if (!OF_COLLECTOR.containsAll(removed)) {
      return "loses the finalizers " + removed + " to the garbage collector";
    }
    boolean orphans = removed.contains(Names.ORPHAN_FINALIZER);
    Set<String> known = new HashSet<>(dependents.getOrDefault(owner.uid(), Set.of()));
    known.retainAll(toldAtDecision.getOrDefault(owner.uid(), Set.of()));
    for (String uid : known) {
      KubeObject dependent = stored.get(uid);
      if (dependent == null || !isBuiltIn(dependent)) {
        continue;
      }
      if (orphans && dependent.deletionTimestamp() == null && refersTo(dependent, owner.uid())) {
        return "goes before its dependent is an orphan, " + dependent;
      } else if (!orphans && blocks(dependent, owner.uid())) {
        return "goes before its dependent, " + dependent;
      }
    }
    return null;
  }

  /** False for kinds that the collector may not be able to list, such as while they are defined. */
  private static boolean isBuiltIn(KubeObject object) {
    return Kind.of(object.apiVersion(), object.kindName()).isPresent();
  }

  private @Nullable String disowned(KubeObject object, KubeObject change) {
    Set<String> left =
        OwnerReference.of(change).stream().map(OwnerReference::uid).collect(Collectors.toSet());
    for (OwnerReference owner : OwnerReference.of(object)) {
      boolean mayGo =
          isGone(owner) || deletedLast.contains(owner.uid()) || orphaning.contains(owner.uid());
      if (!left.contains(owner.uid()) && !mayGo) {
        return "loses an owner that is there, " + stored.get(owner.uid());
      }
    }
    return null;
  }

  private static boolean refersTo(KubeObject object, String owner) {
    return OwnerReference.of(object).stream().anyMatch(each -> each.uid().equals(owner));
  }

  private static boolean blocks(KubeObject object, String owner) {
    return OwnerReference.of(object).stream()
        .anyMatch(each -> each.uid().equals(owner) && each.blocks());
  }

  /** Returns what is wrong with an object once nothing changes any more. */
  @Nullable String atEnd(KubeObject object) {
    return OwnerReference.of(object).stream()
        .filter(this::isGone)
        .findFirst()
        .map(owner -> "keeps an owner that is gone: " + owner)
        .orElse(null);
  }
}
