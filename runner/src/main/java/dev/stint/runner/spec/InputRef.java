package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A reference from a pod to a config map or a secret.
 *
 * @param key the referenced key; null for the whole object
 * @param optional true if it may be missing
 * @param file true if it is for a file of a volume; false for a variable
 */
public record InputRef(ObjectRef object, @Nullable String key, boolean optional, boolean file) {
  /**
   * Reads a reference.
   *
   * @param reference an object with {@code name}, {@code key} and {@code optional}; all but the
   *     first may be absent
   * @param namespace the pod's namespace
   */
  public static InputRef of(Kind kind, JsonNode reference, String namespace) {
    return of(kind, reference, "name", namespace);
  }

  static InputRef of(Kind kind, JsonNode reference, String nameMember, String namespace) {
    String name = Json.text(reference, nameMember);
    return new InputRef(
        new ObjectRef(kind, namespace, name == null ? "" : name),
        Json.text(reference, "key"),
        Boolean.TRUE.equals(Json.bool(reference, "optional")),
        false);
  }

  /** Returns the reference to one key of the same object, for a file. */
  InputRef file(@Nullable String name) {
    return new InputRef(object, name, optional, true);
  }

  /** Returns the missing object or key in the words of a kubelet; null if nothing is missing. */
  public @Nullable String missing(PodInputs inputs) {
    if (optional) {
      return null;
    }
    String kind = object.kind().kind();
    KubeObject found = inputs.find(object.kind(), object.name());
    if (found == null) {
      return kind.toLowerCase(Locale.ROOT) + " \"" + object.name() + "\" not found";
    }
    if (key == null || has(found, key, "data") || (file && has(found, key, "binaryData"))) {
      return null;
    }
    if (file) {
      return object.kind().equals(Kind.SECRET)
          ? "references non-existent secret key: " + key
          : "configmap references non-existent config key: " + key;
    }
    return "couldn't find key %s in %s %s/%s"
        .formatted(key, kind, object.namespace(), object.name());
  }

  private static boolean has(KubeObject object, String key, String member) {
    return Json.text(Json.objectAt(object.tree(), member), key) != null;
  }
}
