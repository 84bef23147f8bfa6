package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;

/**
 * Rules of changes to the scheduling directives of a pod that a scheduling gate holds: they may
 * only be narrowed (KEP-3838; Kubernetes documentation, "Pod Scheduling Readiness", Mutable Pod
 * scheduling directives).
 */
final class GatedPodRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private GatedPodRules() {}

  /** Checks changed {@code nodeSelector}s and node affinities. */
  static void check(FieldPath from, FieldPath to, FieldErrors faults) {
    nodeSelector(from.get("nodeSelector"), to.get("nodeSelector"), faults);
    terms(
        from.get("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"),
        to.get("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"),
        faults);
  }

  private static void nodeSelector(FieldPath from, FieldPath to, FieldErrors faults) {
    boolean kept =
        from.entries().stream().allMatch(label -> label.text().equals(to.get(label.key()).text()));
    if (!kept) {
      faults.invalid(
          to, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
  }

  /**
   * Checks that no term is added or removed: a node has to match one term, so another one would
   * widen the choice.
   */
  private static void terms(FieldPath from, FieldPath to, FieldErrors faults) {
    List<FieldPath> old = from.items();
    List<FieldPath> terms = to.items();
    if (old.isEmpty()) {
      return;
    }
    if (old.size() != terms.size()) {
      faults.invalid(to, "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < old.size(); i++) {
      if (!narrows(old.get(i), terms.get(i))) {
        faults.invalid(terms.get(i), "only additions are allowed (no mutations or deletions)");
      }
    }
  }

  /**
   * True if the term only gains requirements. An old term without any matches no node, so a
   * requirement would widen it.
   */
  private static boolean narrows(FieldPath old, FieldPath term) {
    FieldPath expressions = old.get("matchExpressions");
    FieldPath fields = old.get("matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return term.get("matchExpressions").isEmpty() && term.get("matchFields").isEmpty();
    }
    return begins(expressions.items(), term.get("matchExpressions").items())
        && begins(fields.items(), term.get("matchFields").items());
  }

  private static boolean begins(List<FieldPath> old, List<FieldPath> now) {
    if (now.size() < old.size()) {
      return false;
    }
    for (int i = 0; i < old.size(); i++) {
      if (!old.get(i).sameAs(now.get(i))) {
        return false;
      }
    }
    return true;
  }
}
