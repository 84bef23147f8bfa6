package dev.stint.apiextensions.definition;

import dev.stint.apiextensions.schema.Keywords;
import dev.stint.apiextensions.value.ScalePaths;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The subresources status and scale. */
final class SubresourceRules {
  private SubresourceRules() {}

  /** True if status is a subresource. */
  static boolean hasStatus(Keywords version) {
    ObjectNode subresources = version.object("subresources");
    return subresources != null && subresources.has("status");
  }

  /** Returns the fields of the scale subresource, after a check; null if there is none. */
  static @Nullable ScalePaths scale(Keywords version) {
    ObjectNode subresources = version.object("subresources");
    if (subresources == null) {
      return null;
    }
    ObjectNode tree =
        new Keywords(subresources, version.at("subresources"), version.faults()).object("scale");
    if (tree == null) {
      return null;
    }
    Keywords scale = new Keywords(tree, version.at("subresources.scale"), version.faults());
    path(scale, "specReplicasPath", true, ".spec");
    path(scale, "statusReplicasPath", true, ".status");
    path(scale, "labelSelectorPath", false, ".status", ".spec");
    return new ScalePaths(
        scale.text("specReplicasPath"),
        scale.text("statusReplicasPath"),
        scale.text("labelSelectorPath"));
  }

  private static void path(Keywords scale, String name, boolean needed, String... roots) {
    String path = scale.text(name);
    if (path.isEmpty()) {
      if (needed) {
        Reports.required(scale, name, "is required");
      }
      return;
    }
    boolean under = false;
    for (String root : roots) {
      under |= path.startsWith(root + ".");
    }
    if (!under) {
      String all = roots.length == 1 ? roots[0] : "either .status or .spec";
      Reports.invalid(scale, name, "should be a json path under " + all);
    }
    if (path.indexOf('[') >= 0 || path.indexOf(']') >= 0) {
      Reports.invalid(scale, name, "should be a json path without array notation");
    }
  }
}
