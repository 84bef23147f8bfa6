package dev.stint.controllers.gc;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.List;

/**
 * What the garbage collector remembers of an object: no more than it needs, as there are many.
 *
 * @param deleting whether it has a deletion timestamp
 * @param propagation what becomes of its dependents, as far as its finalizers tell; {@code
 *     BACKGROUND} where none does
 */
public record GraphObject(
    ObjectRef ref,
    String uid,
    List<OwnerReference> owners,
    boolean deleting,
    Propagation propagation) {
  /** Holds an owner until the dependents that block its deletion are gone. */
  public static final String FOREGROUND = "foregroundDeletion";

  /** Holds an owner until its dependents name it no more. */
  public static final String ORPHAN = "orphan";

  static GraphObject of(KubeObject object) {
    ObjectRef ref = new ObjectRef(object.kind(), object.namespace().intern(), object.name());
    return new GraphObject(
        ref,
        object.uid(),
        OwnerReference.of(object),
        object.deletionTimestamp() != null,
        propagation(object.finalizers()));
  }

  private static Propagation propagation(List<String> finalizers) {
    if (finalizers.contains(ORPHAN)) {
      return Propagation.ORPHAN;
    }
    return finalizers.contains(FOREGROUND) ? Propagation.FOREGROUND : Propagation.BACKGROUND;
  }

  /** Whether it stays until its dependents are gone. */
  boolean deletingDependents() {
    return deleting && propagation == Propagation.FOREGROUND;
  }

  /** Whether it stays until its dependents name it no more. */
  boolean orphaning() {
    return deleting && propagation == Propagation.ORPHAN;
  }

  /** Whether its deletion waits for something about its dependents. */
  boolean waiting() {
    return deletingDependents() || orphaning();
  }

  /** Whether it holds up the deletion of that owner in the foreground. */
  boolean blocks(GraphObject owner) {
    return owners.stream().anyMatch(reference -> reference.blocks() && reference.means(owner, ref));
  }

  boolean blocksAnOwner() {
    return owners.stream().anyMatch(OwnerReference::blocks);
  }
}
