package dev.stint.model.support;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.List;

/** Warnings about nodes, in Kubernetes' words. */
final class NodeWarnings {
  private NodeWarnings() {}

  static List<String> of(FieldPath node) {
    List<String> warnings = new ArrayList<>();
    if (node.get("spec", "configSource").exists()) {
      warnings.add("spec.configSource: the feature is removed");
    }
    if (!node.get("spec", "externalID").isEmpty()) {
      warnings.add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    }
    return warnings;
  }
}
