package dev.stint.apiserver.strategy;

import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What must hold of the stored object for a request to be carried out.
 *
 * @param uid null for any
 * @param resourceVersion null for any
 */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {
  /** None at all. */
  public static final Preconditions NONE = new Preconditions(null, null);

  /**
   * What a document or a merge patch says of the object that it is meant for. Version 0 is any, and
   * what is no number is refused: {@code BAD_REQUEST}.
   */
  public static Preconditions of(ObjectNode document) {
    ObjectNode metadata = Json.objectAt(document, "metadata");
    return new Preconditions(
        given(Json.text(metadata, "uid")), version(given(Json.text(metadata, "resourceVersion"))));
  }

  private static @Nullable String version(@Nullable String given) {
    if (given == null) {
      return null;
    }
    try {
      if (!Character.isDigit(given.charAt(0))) {
        throw new NumberFormatException("a sign");
      }
      return Long.parseUnsignedLong(given) == 0 ? null : given;
    } catch (NumberFormatException malformed) {
      throw ApiErrors.badRequest("invalid resource version \"" + given + "\": must be a number");
    }
  }

  /** Throws {@code CONFLICT} where they don't hold. */
  public void check(ObjectRef ref, KubeObject current) throws ClusterException {
    if (uid != null && !uid.equals(current.uid())) {
      throw ApiErrors.otherUid(ref, uid, current.uid());
    }
    if (resourceVersion != null && !resourceVersion.equals(current.resourceVersion())) {
      throw ApiErrors.modified(ref);
    }
  }

  /**
   * Like {@link #check}, for a deletion; Kubernetes' answer then names the kind, not the resource.
   */
  public void checkDeletion(ObjectRef ref, KubeObject current) throws ClusterException {
    Kind kind = ref.kind();
    Kind named =
        new Kind(kind.group(), kind.version(), kind.kind(), kind.kind(), kind.namespaced());
    check(new ObjectRef(named, ref.namespace(), ref.name()), current);
  }

  private static @Nullable String given(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
