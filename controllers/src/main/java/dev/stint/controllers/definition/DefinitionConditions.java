package dev.stint.controllers.definition;

import dev.stint.model.KubeObject;
import tools.jackson.databind.JsonNode;

/** The conditions of CustomResourceDefinitions. */
final class DefinitionConditions {
  private DefinitionConditions() {}

  /** True if a condition of a definition is true. */
  static boolean isTrue(KubeObject definition, String type) {
    for (JsonNode condition : definition.tree().at("/status/conditions")) {
      if (condition.path("type").asString("").equals(type)) {
        return condition.path("status").asString("").equals("True");
      }
    }
    return false;
  }
}
