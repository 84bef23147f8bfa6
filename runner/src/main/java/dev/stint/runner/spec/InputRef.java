package dev.stint.runner.spec;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One mention of a config map or a secret in a pod.
 *
 * @param key the one key that is meant; null for the whole object
 * @param optional whether it may be missing
 * @param file whether it is for a file of a volume; else for a variable
 */
public record InputRef(ObjectRef object, @Nullable String key, boolean optional, boolean file) {
  /**
   * Reads a mention.
   *
   * @param reference an object with {@code name}, {@code key} and {@code optional}, of which all
   *     but the first may be left out
   * @param namespace the pod's
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

  /** The mention of one key of the same object, for a file. */
  InputRef file(@Nullable String name) {
    return new InputRef(object, name, optional, true);
  }

  /** What must be there and is not, in the words of a kubelet; null where nothing is missing. */
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
