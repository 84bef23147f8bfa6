package dev.stint.controllers.definition;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The kinds that definitions define. */
final class CustomKinds {
  private CustomKinds() {}

  /** Returns the kind of a valid definition, in the version in which its objects are stored. */
  static Kind of(KubeObject definition) {
    ObjectNode spec = Objects.requireNonNull(definition.spec(), "a valid definition has a spec");
    ObjectNode names = Json.objectAt(spec, "names");
    return new Kind(
        text(spec, "group"),
        storage(spec),
        text(names, "kind"),
        text(names, "plural"),
        text(spec, "scope").equals("Namespaced"));
  }

  /** True if a condition of a definition is true. */
  static boolean hasCondition(KubeObject definition, String type) {
    for (JsonNode condition : definition.tree().at("/status/conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  private static String storage(ObjectNode spec) {
    for (JsonNode version : spec.path("versions")) {
      if (version.path("storage").asBoolean(false)) {
        return version.path("name").asString("");
      }
    }
    throw new IllegalArgumentException("no version is the one in which objects are stored");
  }

  private static String text(@Nullable ObjectNode object, String member) {
    return Objects.requireNonNullElse(Json.text(object, member), "");
  }
}
