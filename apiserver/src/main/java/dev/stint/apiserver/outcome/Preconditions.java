package dev.stint.apiserver.outcome;

import dev.stint.apiserver.strategy.ApiErrors;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The preconditions of a request on the stored object.
 *
 * @param uid null for any
 * @param resourceVersion null for any
 */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {
  /** No preconditions. */
  public static final Preconditions NONE = new Preconditions(null, null);

  /**
   * Returns the preconditions in a document or a merge patch. Version 0 means any; throws {@code
   * BAD_REQUEST} for a version that is not a number.
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

  /** Throws {@code CONFLICT} if they are not met. */
  public void check(ObjectRef ref, KubeObject current) throws ClusterException {
    if (uid != null && !uid.equals(current.uid())) {
      throw ApiErrors.otherUid(ref, uid, current.uid());
    }
    if (resourceVersion != null && !resourceVersion.equals(current.resourceVersion())) {
      throw ApiErrors.modified(ref);
    }
  }

  /**
   * Throws like {@link #check}, for a deletion; Kubernetes' answer then names the kind, not the
   * resource.
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
