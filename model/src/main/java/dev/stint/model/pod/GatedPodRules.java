package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;

/**
 * How the place of a pod may change while a gate holds it: it can be narrowed (KEP-3838; Kubernetes
 * documentation, "Pod Scheduling Readiness", Mutable Pod scheduling directives).
 */
final class GatedPodRules {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private GatedPodRules() {}

  /** Checks changed {@code nodeSelector}s and node affinities. */
  static void check(At from, At to, Faults faults) {
    nodeSelector(from.get("nodeSelector"), to.get("nodeSelector"), faults);
    terms(
        from.get("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"),
        to.get("affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"),
        faults);
  }

  private static void nodeSelector(At from, At to, Faults faults) {
    boolean kept =
        from.entries().stream().allMatch(label -> label.text().equals(to.get(label.key()).text()));
    if (!kept) {
      faults.invalid(
          to, "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
  }

  /** A node has to match one term: another term would widen the choice. */
  private static void terms(At from, At to, Faults faults) {
    List<At> old = from.items();
    List<At> terms = to.items();
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

  /** A term without requirements matches no node, and any requirement would widen it. */
  private static boolean narrows(At old, At term) {
    At expressions = old.get("matchExpressions");
    At fields = old.get("matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return term.get("matchExpressions").isEmpty() && term.get("matchFields").isEmpty();
    }
    return begins(expressions.items(), term.get("matchExpressions").items())
        && begins(fields.items(), term.get("matchFields").items());
  }

  private static boolean begins(List<At> old, List<At> now) {
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
