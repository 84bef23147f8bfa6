package dev.stint.controllers.gc;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One entry of {@code metadata.ownerReferences}.
 *
 * @param kind null if this program does not know it
 * @param blocks whether the owner's deletion in the foreground waits for the dependent
 */
public record OwnerReference(@Nullable Kind kind, String name, String uid, boolean blocks) {
  public static List<OwnerReference> of(KubeObject object) {
    JsonNode references = Json.arrayAt(object.metadata(), "ownerReferences");
    if (references == null || references.isEmpty()) {
      return List.of();
    }
    List<OwnerReference> owners = new ArrayList<>(references.size());
    references.forEach(reference -> owners.add(of(reference)));
    return List.copyOf(owners);
  }

  private static OwnerReference of(JsonNode tree) {
    String apiVersion = Objects.requireNonNullElse(Json.text(tree, "apiVersion"), "");
    String kind = Objects.requireNonNullElse(Json.text(tree, "kind"), "");
    return new OwnerReference(
        Kind.of(apiVersion, kind).orElse(null),
        Objects.requireNonNullElse(Json.text(tree, "name"), ""),
        Objects.requireNonNullElse(Json.text(tree, "uid"), ""),
        Boolean.TRUE.equals(Json.bool(tree, "blockOwnerDeletion")));
  }

  /**
   * Returns the owner's address; null if it cannot be known: the kind is unknown, or the owner is
   * namespaced and the dependent is not.
   *
   * @param dependent a namespaced owner lives in its dependent's namespace
   */
  @Nullable ObjectRef owner(ObjectRef dependent) {
    if (kind == null || (kind.namespaced() && dependent.namespace().isEmpty())) {
      return null;
    }
    return new ObjectRef(kind, kind.namespaced() ? dependent.namespace() : "", name);
  }

  /** True if this reference, in a dependent, means that very object. */
  boolean refersTo(GraphObject owner, ObjectRef dependent) {
    ObjectRef ref = owner.ref();
    return uid.equals(owner.uid())
        && name.equals(ref.name())
        && ref.kind().equals(kind)
        && (!ref.kind().namespaced() || ref.namespace().equals(dependent.namespace()));
  }
}
