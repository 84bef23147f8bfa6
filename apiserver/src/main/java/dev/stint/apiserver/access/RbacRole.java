package dev.stint.apiserver.access;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldPath;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A role without the document that it was read from.
 *
 * @param labels of a ClusterRole; others are not aggregated
 * @param aggregates true if it has the rules of the roles that one of its selectors matches, and
 *     none of its own
 * @param rules its own
 */
record RbacRole(
    Key key,
    Map<String, String> labels,
    boolean aggregates,
    List<FieldPath> selectors,
    List<PolicyRule> rules) {
  /**
   * Identifies a role.
   *
   * @param namespace "" for a ClusterRole
   */
  record Key(String namespace, String name) {
    /**
     * Returns the key of the role that a binding refers to.
     *
     * @param namespace the binding's
     */
    static Key of(@Nullable JsonNode roleRef, String namespace) {
      boolean local = RbacDocuments.text(roleRef, "kind").equals(Kind.ROLE.kind());
      return new Key(local ? namespace : "", RbacDocuments.text(roleRef, "name"));
    }
  }

  static RbacRole of(KubeObject role) {
    ObjectNode aggregation = Json.objectAt(role.tree(), "aggregationRule");
    return new RbacRole(
        new Key(role.namespace(), role.name()),
        role.namespace().isEmpty() ? role.labels() : Map.of(),
        aggregation != null,
        aggregation == null
            ? List.of()
            : FieldPath.root(aggregation).get("clusterRoleSelectors").items(),
        aggregation == null
            ? PolicyRule.listOf(role.tree()).stream().distinct().toList()
            : List.of());
  }

  /** True if the role aggregates the rules of another one. */
  boolean selects(RbacRole other) {
    return selectors.stream().anyMatch(s -> LabelSelectorRules.matches(s, other.labels));
  }
}
