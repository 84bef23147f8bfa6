package dev.stint.model.job;

import dev.stint.model.FeatureGates;
import dev.stint.model.FeatureGates.Gate;
import dev.stint.model.Json;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Rules of changes to a Job's pod template, which is immutable, except for scheduling directives
 * and resources while the Job is suspended and has not started (KEP-2926, KEP-5440).
 */
final class TemplateChangeRules {
  private static final List<String> SCHEDULING =
      List.of("nodeSelector", "tolerations", "schedulingGates");

  private TemplateChangeRules() {}

  static void check(FieldPath before, FieldPath after, FeatureGates gates, FieldErrors faults) {
    FieldPath old = before.get("spec", "template");
    FieldPath template = after.get("spec", "template");
    if (old.sameAs(template)) {
      return;
    }
    if (!hasNotStarted(before, gates)) {
      faults.invalid(
          template, "field is immutable unless the Job is suspended and has not started");
      return;
    }
    boolean resizable = gates.has(Gate.MutablePodResourcesForSuspendedJobs);
    if (!fixedPart(old, resizable).sameAs(fixedPart(template, resizable))) {
      faults.invalid(
          template.get("spec"),
          "only nodeSelector, affinity.nodeAffinity, tolerations, schedulingGates"
              + (resizable ? " and resources" : "")
              + " can be changed, while the Job is suspended");
    }
  }

  /** True if no pod runs with the template. Pods that are still ending count as running. */
  private static boolean hasNotStarted(FieldPath job, FeatureGates gates) {
    FieldPath status = job.get("status");
    boolean neverStarted = !status.get("startTime").exists();
    boolean idle =
        gates.has(Gate.MutableSchedulingDirectivesForSuspendedJobs)
            ? (neverStarted || Conditions.isTrue(status, JobCondition.SUSPENDED))
                && status.get("active").count() == 0
            : neverStarted;
    return job.get("spec", "suspend").isTrue() && idle;
  }

  /** Returns the template's specification without its mutable fields. */
  private static FieldPath fixedPart(FieldPath template, boolean resizable) {
    if (!(template.get("spec").node() instanceof ObjectNode spec)) {
      return template.get("spec");
    }
    ObjectNode fixed = spec.deepCopy();
    fixed.remove(SCHEDULING);
    if (resizable) {
      fixed.remove("resources");
      withoutResources(Json.arrayAt(fixed, "containers"));
      withoutResources(Json.arrayAt(fixed, "initContainers"));
    }
    ObjectNode affinity = Json.objectAt(fixed, "affinity");
    if (affinity != null) {
      affinity.remove("nodeAffinity");
      if (affinity.isEmpty()) {
        fixed.remove("affinity");
      }
    }
    return FieldPath.root(fixed);
  }

  private static void withoutResources(@Nullable JsonNode containers) {
    if (containers != null) {
      for (JsonNode container : containers) {
        if (container instanceof ObjectNode object) {
          object.remove("resources");
        }
      }
    }
  }
}
