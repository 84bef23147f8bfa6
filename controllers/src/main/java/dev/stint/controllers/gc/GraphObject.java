package dev.stint.controllers.gc;

import dev.stint.cluster.DeleteOptions.Propagation;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.ObjectRef;
import java.util.List;

/**
 * The garbage collector's projection of an object; small, as there are many.
 *
 * @param resourceVersion of the state that it was read in
 * @param deleting whether it has a deletion timestamp
 * @param propagation the deletion propagation that its finalizers ask for; {@code BACKGROUND} if
 *     none does
 */
public record GraphObject(
    ObjectRef ref,
    String uid,
    String resourceVersion,
    List<OwnerReference> owners,
    boolean deleting,
    Propagation propagation) {
  static GraphObject of(Kind kind, KubeObject object) {
    ObjectRef ref = new ObjectRef(kind, object.namespace().intern(), object.name());
    return new GraphObject(
        ref,
        object.uid(),
        object.resourceVersion(),
        OwnerReference.of(object),
        object.deletionTimestamp() != null,
        propagation(object.finalizers()));
  }

  private static Propagation propagation(List<String> finalizers) {
    if (finalizers.contains(Names.ORPHAN_FINALIZER)) {
      return Propagation.ORPHAN;
    }
    return finalizers.contains(Names.FOREGROUND_FINALIZER)
        ? Propagation.FOREGROUND
        : Propagation.BACKGROUND;
  }

  /** True if all that decisions are made on was the same before. */
  boolean isAs(GraphObject before) {
    return before.ref.equals(ref)
        && before.uid.equals(uid)
        && before.owners.equals(owners)
        && before.deleting == deleting
        && before.propagation == propagation;
  }

  /** Returns the same object with a list of owners that others share. */
  GraphObject sharing(List<OwnerReference> equalOwners) {
    return new GraphObject(ref, uid, resourceVersion, equalOwners, deleting, propagation);
  }

  /** True if its foreground deletion waits for its dependents. */
  boolean isDeletingDependents() {
    return deleting && propagation == Propagation.FOREGROUND;
  }

  /** True if its deletion waits until no dependent refers to it. */
  boolean isOrphaning() {
    return deleting && propagation == Propagation.ORPHAN;
  }

  /** True if its deletion waits for its dependents, in either way. */
  boolean isWaiting() {
    return isDeletingDependents() || isOrphaning();
  }

  /** True if it blocks the foreground deletion of that owner. */
  boolean blocks(GraphObject owner) {
    return owners.stream()
        .anyMatch(reference -> reference.blocks() && reference.refersTo(owner, ref));
  }

  /**
   * True if it refers to an owner of a kind that is not built in, whether that is served or not.
   */
  boolean hasCustomOwner() {
    return owners.stream().anyMatch(owner -> Kind.of(owner.apiVersion(), owner.kind()).isEmpty());
  }
}
