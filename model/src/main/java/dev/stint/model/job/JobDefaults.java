package dev.stint.model.job;

import dev.stint.model.Json;
import dev.stint.model.Names;
import dev.stint.model.pod.Defaults;
import dev.stint.model.pod.PodDefaults;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The defaults of a Job in Kubernetes 1.36. All methods change the given tree.
 *
 * <pre>{@code
 * JobDefaults.generate(job, uid);
 * JobDefaults.apply(job); // spec.backoffLimit is 6 now, for one
 * }</pre>
 */
public final class JobDefaults {
  private static final int BACKOFF_LIMIT = 6;

  private JobDefaults() {}

  /** Fills in the whole Job; idempotent. For a new Job, {@link #generate} comes first. */
  public static void apply(ObjectNode job) {
    applyToSpec(job.withObjectProperty("spec"));
    job.withObjectProperty("status");
    mirrorLabels(job);
  }

  /** Fills in {@code spec} of a Job. */
  static void applyToSpec(ObjectNode spec) {
    if (isMissing(spec, "parallelism") && isMissing(spec, "completions")) {
      spec.put("completions", 1);
    }
    Defaults.integer(spec, "parallelism", 1);
    // KEP-3850, Job API: old clients must never see null, and the total must not come first.
    Defaults.integer(
        spec,
        "backoffLimit",
        isMissing(spec, "backoffLimitPerIndex") ? BACKOFF_LIMIT : Integer.MAX_VALUE);
    Defaults.optionalText(spec, "completionMode", "NonIndexed");
    Defaults.bool(spec, "suspend", false);
    Defaults.bool(spec, "manualSelector", false);
    ObjectNode failurePolicy = Json.objectAt(spec, "podFailurePolicy");
    Defaults.optionalText(
        spec, "podReplacementPolicy", failurePolicy == null ? "TerminatingOrFailed" : "Failed");
    applyToTemplateSpec(spec);
  }

  /**
   * Fills in {@code spec} of a Job template: only its pod template, as the Jobs made from it get
   * the other defaults.
   */
  public static void applyToTemplateSpec(ObjectNode spec) {
    conditionStatuses(Json.objectAt(spec, "podFailurePolicy"));
    ObjectNode template = spec.withObjectProperty("template");
    template.withObjectProperty("metadata");
    PodDefaults.applyToSpec(template.withObjectProperty("spec"));
  }

  /**
   * Adds to a new Job the labels and the selector that identify its pods, unless it has {@code
   * manualSelector}. User-defined values of the same names stay, for validation to report.
   *
   * <p>A Job without labels gets those of the template: at once if the template has labels of its
   * own, and with {@link #apply} otherwise, as in Kubernetes.
   */
  public static void generate(ObjectNode job, String uid) {
    ObjectNode spec = job.withObjectProperty("spec");
    ObjectNode metadata = job.withObjectProperty("metadata");
    ObjectNode template = spec.withObjectProperty("template").withObjectProperty("metadata");
    boolean mirrored = !hasMembers(metadata, "labels") && hasMembers(template, "labels");
    if (!Boolean.TRUE.equals(Json.bool(spec, "manualSelector"))) {
      String name = Json.text(metadata, "name");
      ObjectNode labels = template.withObjectProperty("labels");
      labels(uid, name == null ? "" : name)
          .forEach((key, value) -> Defaults.optionalText(labels, key, value));
      ObjectNode selector = spec.withObjectProperty("selector").withObjectProperty("matchLabels");
      Defaults.optionalText(selector, Names.CONTROLLER_UID, uid);
    }
    if (mirrored) {
      mirrorLabels(job);
    }
  }

  /** Returns the labels that identify a Job's pods, by their new and their old names. */
  static Map<String, String> labels(String uid, String name) {
    Map<String, String> inOrder = new LinkedHashMap<>();
    inOrder.put(Names.CONTROLLER_UID, uid);
    inOrder.put(Names.LEGACY_CONTROLLER_UID, uid);
    inOrder.put(Names.JOB_NAME, name);
    inOrder.put(Names.LEGACY_JOB_NAME, name);
    return inOrder;
  }

  private static void mirrorLabels(ObjectNode job) {
    ObjectNode metadata = job.withObjectProperty("metadata");
    ObjectNode labels =
        Json.objectAt(
            Json.objectAt(Json.objectAt(Json.objectAt(job, "spec"), "template"), "metadata"),
            "labels");
    if (labels != null && !labels.isEmpty() && !hasMembers(metadata, "labels")) {
      metadata.set("labels", labels.deepCopy());
    }
  }

  private static void conditionStatuses(@Nullable ObjectNode failurePolicy) {
    JsonNode rules = Json.arrayAt(failurePolicy, "rules");
    if (rules == null) {
      return;
    }
    for (JsonNode rule : rules) {
      JsonNode conditions = Json.arrayAt(rule, "onPodConditions");
      if (conditions != null) {
        for (JsonNode condition : conditions) {
          if (condition instanceof ObjectNode object) {
            Defaults.text(object, "status", "True");
          }
        }
      }
    }
  }

  private static boolean hasMembers(ObjectNode tree, String member) {
    ObjectNode found = Json.objectAt(tree, member);
    return found != null && !found.isEmpty();
  }

  private static boolean isMissing(ObjectNode tree, String member) {
    JsonNode found = tree.get(member);
    return found == null || found.isNull();
  }
}
