package dev.stint.controllers.gc;

import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The known objects and their owner references. A reference may arrive before its owner. */
final class OwnerGraph {
  private final Map<String, GraphObject> objects = new HashMap<>();

  /** The uids of dependents by owner uid; sorted, so that the first is found at once. */
  private final Map<String, Set<String>> dependents = new HashMap<>();

  /** Records an object; returns its previous state, or null. */
  @Nullable GraphObject put(Kind kind, KubeObject object) {
    GraphObject fresh = shared(GraphObject.of(kind, object));
    GraphObject before = objects.put(fresh.uid(), fresh);
    if (before == null || !before.owners().equals(fresh.owners())) {
      if (before != null) {
        unlink(before);
      }
      for (OwnerReference owner : fresh.owners()) {
        dependents.computeIfAbsent(owner.uid(), _ -> new LinkedHashSet<>()).add(fresh.uid());
      }
    }
    return before;
  }

  /** Forgets an object; returns its last known state, or null. */
  @Nullable GraphObject remove(String uid) {
    GraphObject before = objects.remove(uid);
    if (before != null) {
      unlink(before);
    }
    return before;
  }

  /** Forgets all objects of a kind; returns their uids. */
  List<String> removeAll(Kind kind) {
    List<String> uids =
        objects.values().stream()
            .filter(object -> object.ref().kind().equals(kind))
            .map(GraphObject::uid)
            .toList();
    uids.forEach(this::remove);
    return uids;
  }

  @Nullable GraphObject get(String uid) {
    return objects.get(uid);
  }

  Collection<GraphObject> all() {
    return objects.values();
  }

  /** Returns the object that a dependent's reference means; null if it is not known. */
  @Nullable GraphObject owner(GraphObject dependent, OwnerReference reference) {
    GraphObject owner = objects.get(reference.uid());
    return owner != null && reference.refersTo(owner, dependent.ref()) ? owner : null;
  }

  /** Returns the known owners of an object, each once, however many references mean it. */
  Collection<GraphObject> owners(GraphObject dependent) {
    Map<String, GraphObject> owners = new LinkedHashMap<>();
    for (OwnerReference reference : dependent.owners()) {
      GraphObject owner = owner(dependent, reference);
      if (owner != null) {
        owners.put(owner.uid(), owner);
      }
    }
    return owners.values();
  }

  /** Returns the objects that refer to this one as an owner; the owner itself may be gone. */
  Stream<GraphObject> dependents(GraphObject owner) {
    return dependents.getOrDefault(owner.uid(), Set.of()).stream()
        .map(objects::get)
        .filter(dependent -> dependent != null && owns(owner, dependent));
  }

  private static boolean owns(GraphObject owner, GraphObject dependent) {
    return dependent.owners().stream().anyMatch(ref -> ref.refersTo(owner, dependent.ref()));
  }

  private void unlink(GraphObject dependent) {
    for (OwnerReference owner : dependent.owners()) {
      Set<String> siblings = dependents.get(owner.uid());
      if (siblings != null && siblings.remove(dependent.uid()) && siblings.isEmpty()) {
        dependents.remove(owner.uid());
      }
    }
  }

  /** Shares one list of owners among objects with the same owners, such as the pods of a Job. */
  private GraphObject shared(GraphObject object) {
    if (object.owners().isEmpty()) {
      return object;
    }
    Set<String> siblings = dependents.get(object.owners().getFirst().uid());
    GraphObject sibling = siblings == null ? null : objects.get(siblings.iterator().next());
    return sibling == null || !sibling.owners().equals(object.owners())
        ? object
        : object.sharing(sibling.owners());
  }
}
