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
 * What may change in a Job's pod template: nothing, but while the Job is suspended and has not
 * started, where its pods go and what they are given (KEP-2926, KEP-5440).
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
    if (!notStarted(before, gates)) {
      faults.invalid(template, "can't be changed unless the Job is suspended and has not started");
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

  /** Pods that still end ran with the template as it is. */
  private static boolean notStarted(FieldPath job, FeatureGates gates) {
    FieldPath status = job.get("status");
    boolean neverStarted = !status.get("startTime").exists();
    boolean idle =
        gates.has(Gate.MutableSchedulingDirectivesForSuspendedJobs)
            ? (neverStarted || Conditions.isTrue(status, JobCondition.SUSPENDED))
                && status.get("active").count() == 0
            : neverStarted;
    return job.get("spec", "suspend").isTrue() && idle;
  }

  /** The template's specification without what may change. */
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
