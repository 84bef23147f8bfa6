package dev.stint.controllers.gc;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Names;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The garbage collector's decision on an object, from its owners and dependents (Kubernetes
 * documentation, Garbage Collection: Owners and dependents, Cascading deletion).
 */
sealed interface GarbageCollectorAction {
  /** The number of objects in a circle that is found; who makes longer ones, waits for ever. */
  int LONGEST_CIRCLE = 100;

  /** The number of an object's owners that are looked at for circles; usual are one or two. */
  int MOST_OWNERS = 20;

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

  /** Clear {@code blockOwnerDeletion}: the object blocks owners that it waits for itself. */
  record Unblock(Set<String> ownerUids) implements GarbageCollectorAction {}

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
      Set<String> circle = ownersInCircle(object, graph);
      return circle.isEmpty() ? new Leave() : new Unblock(circle);
    }
    if (object.isOrphaning()) {
      boolean owning = graph.dependents(object).anyMatch(other -> !other.deleting());
      return owning ? new Leave() : new Finish(Names.ORPHAN_FINALIZER);
    }
    return new Leave();
  }

  /**
   * Returns the uids of the owners that an object blocks, though it waits for them in turn: all are
   * being deleted in the foreground, each blocked by the one before. Kubernetes leaves such a
   * circle for ever (decision 128).
   */
  private static Set<String> ownersInCircle(GraphObject object, OwnerGraph graph) {
    return blockedOwners(object, graph)
        .filter(owner -> reaches(owner, object, graph))
        .map(GraphObject::uid)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Looks at owners rather than dependents, since an object has few. */
  private static boolean reaches(GraphObject from, GraphObject object, OwnerGraph graph) {
    Set<String> found = new HashSet<>(Set.of(from.uid()));
    Deque<GraphObject> left = new ArrayDeque<>(List.of(from));
    while (!left.isEmpty() && found.size() < LONGEST_CIRCLE && !found.contains(object.uid())) {
      blockedOwners(left.remove(), graph)
          .filter(owner -> found.add(owner.uid()))
          .forEach(left::add);
    }
    return found.contains(object.uid());
  }

  /** Returns the owners that wait for an object as they are deleted in the foreground. */
  private static Stream<GraphObject> blockedOwners(GraphObject object, OwnerGraph graph) {
    return object.owners().stream()
        .limit(MOST_OWNERS)
        .filter(OwnerReference::blocks)
        .flatMap(reference -> Stream.ofNullable(graph.owner(object, reference)))
        .filter(GraphObject::isDeletingDependents);
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
    // What goes before its owner goes after its own dependents in turn.
    return found.contains(OwnerState.DELETING_DEPENDENTS) && owns(object, graph)
        ? new Delete(Propagation.FOREGROUND)
        : new Delete(object.propagation());
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
