package dev.stint.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The kind that a valid CustomResourceDefinition defines. */
public final class DefinedKind {
  private DefinedKind() {}

  /** Returns the kind in the version in which its objects are stored. */
  public static Kind stored(KubeObject definition) {
    ObjectNode spec = spec(definition);
    for (JsonNode version : spec.path("versions")) {
      if (isTrue(version, "storage")) {
        return kind(spec, text(version, "name"));
      }
    }
    throw new IllegalArgumentException("no version is the one in which objects are stored");
  }

  /**
   * Returns the kind in the version in which its objects are stored, or in the first that is served
   * if that one is not. Its version is empty if none is served.
   */
  public static Kind served(KubeObject definition) {
    ObjectNode spec = spec(definition);
    String served = "";
    for (JsonNode version : spec.path("versions")) {
      if (isTrue(version, "served") && (served.isEmpty() || isTrue(version, "storage"))) {
        served = text(version, "name");
      }
    }
    return kind(spec, served);
  }

  private static Kind kind(ObjectNode spec, String version) {
    ObjectNode names = Json.objectAt(spec, "names");
    return new Kind(
        text(spec, "group"),
        version,
        text(names, "kind"),
        text(names, "plural"),
        text(spec, "scope").equals("Namespaced"));
  }

  private static ObjectNode spec(KubeObject definition) {
    return Objects.requireNonNull(definition.spec(), "a valid definition has a spec");
  }

  private static boolean isTrue(JsonNode version, String member) {
    return version.path(member).asBoolean(false);
  }

  private static String text(@Nullable JsonNode object, String member) {
    return Objects.requireNonNullElse(Json.text(object, member), "");
  }
}
