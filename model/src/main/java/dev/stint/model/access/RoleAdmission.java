package dev.stint.model.access;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The admission of Roles and ClusterRoles: the one path for every writer.
 *
 * <p>Objects must fit the schema of their kind. Methods return the faults that forbid storing them.
 */
public final class RoleAdmission {
  private RoleAdmission() {}

  /** Checks a new Role. */
  public static List<FieldError> createRole(ObjectNode role) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(role);
    MetadataRules.create(root.get("metadata"), Formats::pathSegment, faults);
    rules(root, true, faults);
    return faults.list();
  }

  /** Checks a new ClusterRole. */
  public static List<FieldError> createClusterRole(ObjectNode role) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(role);
    MetadataRules.createWithoutNamespace(root.get("metadata"), Formats::pathSegment, faults);
    rules(root, false, faults);
    aggregation(root.get("aggregationRule"), faults);
    return faults.list();
  }

  /** Checks a changed Role or ClusterRole. */
  public static List<FieldError> update(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(after);
    MetadataRules.update(FieldPath.root(before).get("metadata"), root.get("metadata"), faults);
    rules(root, !root.get("metadata", "namespace").isEmpty(), faults);
    aggregation(root.get("aggregationRule"), faults);
    return faults.list();
  }

  private static void rules(FieldPath role, boolean namespaced, FieldErrors faults) {
    for (FieldPath rule : role.get("rules").items()) {
      if (rule.get("verbs").isEmpty()) {
        faults.required(rule.get("verbs"), "verbs must contain at least one value");
      }
      if (rule.get("nonResourceURLs").isEmpty()) {
        aboutResources(rule, faults);
      } else {
        aboutPaths(rule, namespaced, faults);
      }
    }
  }

  private static void aboutResources(FieldPath rule, FieldErrors faults) {
    if (rule.get("apiGroups").isEmpty()) {
      faults.required(rule.get("apiGroups"), "resource rules must supply at least one api group");
    }
    if (rule.get("resources").isEmpty()) {
      faults.required(rule.get("resources"), "resource rules must supply at least one resource");
    }
  }

  private static void aboutPaths(FieldPath rule, boolean namespaced, FieldErrors faults) {
    FieldPath paths = rule.get("nonResourceURLs");
    if (namespaced) {
      faults.invalid(paths, "namespaced rules cannot apply to non-resource URLs");
    }
    boolean both =
        List.of("apiGroups", "resources", "resourceNames").stream()
            .anyMatch(member -> !rule.get(member).isEmpty());
    if (both) {
      faults.invalid(paths, "rules cannot apply to both regular resources and non-resource URLs");
    }
  }

  private static void aggregation(FieldPath aggregation, FieldErrors faults) {
    if (!aggregation.exists()) {
      return;
    }
    FieldPath selectors = aggregation.get("clusterRoleSelectors");
    if (selectors.isEmpty()) {
      faults.required(selectors, "at least one clusterRoleSelector is required");
    }
    for (FieldPath selector : selectors.items()) {
      LabelSelectorRules.check(selector, faults);
      if (!LabelSelectorRules.isSound(selector)) {
        faults.invalid(selector, "invalid label selector");
      }
    }
  }
}
