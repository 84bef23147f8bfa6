package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.pod.Defaults;
import dev.stint.model.pod.PodDefaults;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The defaults of workloads that other programs run. */
final class WorkloadDefaults {
  private static final String ROLLING_UPDATE = "RollingUpdate";

  private WorkloadDefaults() {}

  /** Fills in the pod template of an object, which has one. */
  static void template(ObjectNode holder) {
    ObjectNode template = holder.withObjectProperty("template");
    template.withObjectProperty("metadata");
    PodDefaults.applyToSpec(template.withObjectProperty("spec"));
  }

  static void replicas(ObjectNode spec) {
    Defaults.integer(spec, "replicas", 1);
  }

  static void deployment(ObjectNode spec) {
    replicas(spec);
    template(spec);
    ObjectNode rolling = rolling(spec.withObjectProperty("strategy"));
    if (rolling != null) {
      Defaults.optionalText(rolling, "maxUnavailable", "25%");
      Defaults.optionalText(rolling, "maxSurge", "25%");
    }
    Defaults.integer(spec, "revisionHistoryLimit", 10);
    Defaults.integer(spec, "progressDeadlineSeconds", 600);
  }

  static void statefulSet(ObjectNode spec) {
    replicas(spec);
    template(spec);
    Defaults.text(spec, "podManagementPolicy", "OrderedReady");
    ObjectNode rolling = rolling(spec.withObjectProperty("updateStrategy"));
    if (rolling != null) {
      Defaults.integer(rolling, "partition", 0);
    }
    ObjectNode retention = spec.withObjectProperty("persistentVolumeClaimRetentionPolicy");
    Defaults.text(retention, "whenDeleted", "Retain");
    Defaults.text(retention, "whenScaled", "Retain");
    Defaults.integer(spec, "revisionHistoryLimit", 10);
  }

  static void daemonSet(ObjectNode spec) {
    template(spec);
    ObjectNode rolling = rolling(spec.withObjectProperty("updateStrategy"));
    if (rolling != null) {
      Defaults.integer(rolling, "maxUnavailable", 1);
      Defaults.integer(rolling, "maxSurge", 0);
    }
    Defaults.integer(spec, "revisionHistoryLimit", 10);
  }

  /** Returns the parameters of a rolling update; null if a strategy is another one. */
  private static @Nullable ObjectNode rolling(ObjectNode strategy) {
    Defaults.text(strategy, "type", ROLLING_UPDATE);
    return ROLLING_UPDATE.equals(Json.text(strategy, "type"))
        ? strategy.withObjectProperty("rollingUpdate")
        : null;
  }
}
