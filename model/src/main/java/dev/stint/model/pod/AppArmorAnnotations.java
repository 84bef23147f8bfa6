package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The deprecated annotations for the AppArmor profiles of a pod's containers. An annotation sets
 * the container's {@code appArmorProfile}; if both exist, they must agree.
 */
final class AppArmorAnnotations {
  static final String PREFIX = "container.apparmor.security.beta.kubernetes.io/";
  private static final String LOCALHOST = "localhost/";

  private AppArmorAnnotations() {}

  /** Sets the profiles of containers that have none of their own. */
  static void apply(ObjectNode pod) {
    ObjectNode annotations = Json.objectAt(Json.objectAt(pod, "metadata"), "annotations");
    ObjectNode spec = Json.objectAt(pod, "spec");
    if (annotations == null || spec == null || isWindows(spec)) {
      return;
    }
    JsonNode common = spec.path("securityContext").path("appArmorProfile");
    for (String list : PodDefaults.CONTAINER_LISTS) {
      PodDefaults.each(
          spec, list, container -> apply(container, profile(annotations, container), common));
    }
  }

  private static void apply(ObjectNode container, @Nullable ObjectNode profile, JsonNode common) {
    boolean own = container.path("securityContext").hasNonNull("appArmorProfile");
    if (profile != null && !own && !profile.equals(common)) {
      container.withObjectProperty("securityContext").set("appArmorProfile", profile);
    }
  }

  static void check(FieldPath pod, FieldErrors faults) {
    FieldPath annotations = pod.get("metadata", "annotations");
    FieldPath spec = pod.get("spec");
    if (!annotations.exists() || isWindows(spec.node())) {
      return;
    }
    for (String list : PodDefaults.CONTAINER_LISTS) {
      for (FieldPath container : spec.get(list).items()) {
        FieldPath field = container.get("securityContext", "appArmorProfile");
        boolean annotated = annotations.get(PREFIX + container.get("name").text()).exists();
        if (annotated && field.exists() && !agrees(annotations, container)) {
          faults.forbidden(field, "must match the container's annotation");
        }
      }
    }
  }

  /** True if a container has the profile that its annotation names. */
  static boolean agrees(FieldPath annotations, FieldPath container) {
    ObjectNode profile = profile(annotations.node(), container.node());
    return profile != null
        && profile.equals(container.get("securityContext", "appArmorProfile").node());
  }

  private static boolean isWindows(JsonNode spec) {
    return "windows".equals(Json.text(Json.objectAt(spec, "os"), "name"));
  }

  /** Returns the profile that an annotation names; null if there is none, or an unknown one. */
  private static @Nullable ObjectNode profile(JsonNode annotations, JsonNode container) {
    String text = Json.text(annotations, PREFIX + Json.text(container, "name"));
    if (text == null) {
      return null;
    }
    return switch (text) {
      case "runtime/default" -> Json.object().put("type", "RuntimeDefault");
      case "unconfined" -> Json.object().put("type", "Unconfined");
      default ->
          text.startsWith(LOCALHOST)
              ? Json.object()
                  .put("type", "Localhost")
                  .put("localhostProfile", text.substring(LOCALHOST.length()))
              : null;
    };
  }
}
