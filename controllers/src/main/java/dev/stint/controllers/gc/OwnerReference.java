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
 * One entry of {@code metadata.ownerReferences}. Its kind is a name, which may mean nothing yet: a
 * definition may come later, and go.
 *
 * @param blocks whether the owner's deletion in the foreground waits for the dependent
 */
public record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean blocks) {
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
    return new OwnerReference(
        text(tree, "apiVersion").intern(),
        text(tree, "kind").intern(),
        text(tree, "name"),
        text(tree, "uid"),
        Boolean.TRUE.equals(Json.bool(tree, "blockOwnerDeletion")));
  }

  private static String text(JsonNode tree, String member) {
    return Objects.requireNonNullElse(Json.text(tree, member), "");
  }

  /** True if it means objects of that kind, in whatever version. */
  public boolean isOf(Kind wanted) {
    int slash = apiVersion.indexOf('/');
    return kind.equals(wanted.kind())
        && wanted.group().length() == Math.max(slash, 0)
        && apiVersion.startsWith(wanted.group());
  }

  /**
   * Returns the owner's address; null if it cannot be known: the kind is not served, or the owner
   * is namespaced and the dependent is not.
   *
   * @param dependent a namespaced owner lives in its dependent's namespace
   */
  @Nullable ObjectRef owner(ObjectRef dependent, ServedKinds kinds) {
    Kind found = kinds.find(apiVersion, kind);
    if (found == null || (found.namespaced() && dependent.namespace().isEmpty())) {
      return null;
    }
    return new ObjectRef(found, found.namespaced() ? dependent.namespace() : "", name);
  }

  /** True if this reference, in a dependent, means that very object. */
  boolean refersTo(GraphObject owner, ObjectRef dependent) {
    return uid.equals(owner.uid()) && refersTo(owner.ref(), dependent);
  }

  /** True if this reference, in a dependent, has that address, whatever its uid. */
  boolean refersTo(ObjectRef owner, ObjectRef dependent) {
    return name.equals(owner.name())
        && isOf(owner.kind())
        && (!owner.kind().namespaced() || owner.namespace().equals(dependent.namespace()));
  }
}
