package dev.stint.controllers.gc;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Names;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The garbage collector's decision on an object, from its owners and dependents (Kubernetes
 * documentation, Garbage Collection: Owners and dependents, Cascading deletion).
 */
sealed interface GarbageCollectorAction {
  /** The number of objects in a circle that is found; who makes longer ones, waits for ever. */
  int LONGEST_CIRCLE = 100;

  /** The state of an owner. */
  enum OwnerState {
    /** It exists and keeps its dependents. */
    PRESENT,
    /** It is being deleted in the foreground: its dependents are deleted first. */
    DELETING_DEPENDENTS,
    /** It is being deleted, and its dependents stay as orphans. */
    ORPHANING,
    /** It certainly does not exist. */
    ABSENT,
    /** No watch has reported it, and the API has not been asked yet. */
    NOT_SEEN,
    /** It cannot be looked up. */
    UNKNOWN
  }

  /** Do nothing for now. */
  record Leave() implements GarbageCollectorAction {}

  /** Ask the API whether these owners exist. */
  record Ask(List<OwnerReference> owners) implements GarbageCollectorAction {}

  /** Delete the object. */
  record Delete(Propagation propagation) implements GarbageCollectorAction {}

  /** Remove owner references from the object. */
  record RemoveOwners(Set<String> ownerUids) implements GarbageCollectorAction {}

  /** Clear {@code blockOwnerDeletion}: the object blocks an owner that it waits for itself. */
  record Unblock() implements GarbageCollectorAction {}

  /** Remove a finalizer that has served its purpose. */
  record Finish(String finalizer) implements GarbageCollectorAction {}

  /**
   * Decides on an object. The cost does not grow with an owner's dependents, unless all of them are
   * being deleted.
   *
   * @param owner returns the state of one of the object's owners
   */
  static GarbageCollectorAction of(
      GraphObject object, OwnerGraph graph, Function<OwnerReference, OwnerState> owner) {
    return object.deleting() ? ofDeleting(object, graph) : ofStanding(object, graph, owner);
  }

  private static GarbageCollectorAction ofDeleting(GraphObject object, OwnerGraph graph) {
    if (object.isDeletingDependents()) {
      boolean blocked = graph.dependents(object).anyMatch(other -> other.blocks(object));
      if (!blocked) {
        return new Finish(Names.FOREGROUND_FINALIZER);
      }
      return waitsForItself(object, graph) ? new Unblock() : new Leave();
    }
    if (object.isOrphaning()) {
      boolean owning = graph.dependents(object).anyMatch(other -> !other.deleting());
      return owning ? new Leave() : new Finish(Names.ORPHAN_FINALIZER);
    }
    return new Leave();
  }

  /**
   * True if an object that is being deleted in the foreground blocks an owner of which the same is
   * true, and so on until an owner that blocks the object. Kubernetes leaves such a circle for
   * ever. Owners are looked at rather than dependents, since an object has few.
   */
  private static boolean waitsForItself(GraphObject object, OwnerGraph graph) {
    Set<GraphObject> found = new LinkedHashSet<>();
    Deque<GraphObject> left = new ArrayDeque<>(List.of(object));
    while (!left.isEmpty() && found.size() < LONGEST_CIRCLE) {
      GraphObject next = left.remove();
      graph.owners(next).stream()
          .filter(owner -> owner.isDeletingDependents() && next.blocks(owner))
          .filter(found::add)
          .forEach(left::add);
    }
    return found.contains(object);
  }

  private static GarbageCollectorAction ofStanding(
      GraphObject object, OwnerGraph graph, Function<OwnerReference, OwnerState> owner) {
    if (object.owners().isEmpty()) {
      return new Leave();
    }
    Map<OwnerReference, OwnerState> owners = new LinkedHashMap<>();
    object.owners().forEach(reference -> owners.put(reference, owner.apply(reference)));
    EnumSet<OwnerState> found = EnumSet.copyOf(owners.values());
    if (found.contains(OwnerState.ORPHANING)) {
      return removeOwners(owners, EnumSet.of(OwnerState.ORPHANING));
    }
    if (found.contains(OwnerState.UNKNOWN)) {
      return new Leave();
    }
    if (found.contains(OwnerState.NOT_SEEN)) {
      return new Ask(
          object.owners().stream().filter(o -> owners.get(o) == OwnerState.NOT_SEEN).toList());
    }
    if (found.contains(OwnerState.PRESENT)) {
      return found.size() == 1
          ? new Leave()
          : removeOwners(owners, EnumSet.complementOf(EnumSet.of(OwnerState.PRESENT)));
    }
    return found.contains(OwnerState.DELETING_DEPENDENTS) && owns(object, graph)
        ? first(object, graph)
        : new Delete(object.propagation());
  }

  /** Deletes the object before its owner; its own dependents are deleted before it in turn. */
  private static GarbageCollectorAction first(GraphObject object, OwnerGraph graph) {
    boolean circle =
        object.blocksAnOwner()
            && graph.dependents(object).anyMatch(GraphObject::isDeletingDependents);
    return circle ? new Unblock() : new Delete(Propagation.FOREGROUND);
  }

  private static boolean owns(GraphObject object, OwnerGraph graph) {
    return graph.dependents(object).findAny().isPresent();
  }

  private static RemoveOwners removeOwners(
      Map<OwnerReference, OwnerState> owners, Set<OwnerState> which) {
    return new RemoveOwners(
        owners.entrySet().stream()
            .filter(entry -> which.contains(entry.getValue()))
            .map(entry -> entry.getKey().uid())
            .collect(Collectors.toUnmodifiableSet()));
  }
}
