package dev.stint.model.kept;

import dev.stint.model.Json;
import dev.stint.model.pod.Defaults;
import dev.stint.model.pod.PodDefaults;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
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
    ArrayNode claims = Json.arrayAt(spec, "volumeClaimTemplates");
    if (claims != null) {
      claims.forEach(claim -> claim((ObjectNode) claim));
    }
  }

  private static void claim(ObjectNode claim) {
    Defaults.text(claim, "apiVersion", "v1");
    Defaults.text(claim, "kind", "PersistentVolumeClaim");
    Defaults.optionalText(claim.withObjectProperty("spec"), "volumeMode", "Filesystem");
    Defaults.text(claim.withObjectProperty("status"), "phase", "Pending");
  }

  /** Selects the pods of a controller, and labels it, by the labels of its pod template. */
  static void replicationController(ObjectNode controller) {
    ObjectNode spec = controller.withObjectProperty("spec");
    replicas(spec);
    if (spec.get("template") == null) {
      return;
    }
    template(spec);
    ObjectNode labels = Json.objectAt(spec.get("template").get("metadata"), "labels");
    if (labels == null || labels.isEmpty()) {
      return;
    }
    if (spec.path("selector").isEmpty()) {
      spec.set("selector", labels.deepCopy());
    }
    ObjectNode metadata = controller.withObjectProperty("metadata");
    if (metadata.path("labels").isEmpty()) {
      metadata.set("labels", labels.deepCopy());
    }
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
