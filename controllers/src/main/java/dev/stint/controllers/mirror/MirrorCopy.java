package dev.stint.controllers.mirror;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Sha256;
import dev.stint.model.job.after.After;
import dev.stint.model.job.after.AfterProgress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The copy of a manager's Job: the same name, namespace and work, without the parts that only hold
 * in the manager (identity, owner, status, {@code managedBy}, generated selector and labels).
 *
 * <p>It has no {@code ttlSecondsAfterFinished}: it lives as long as the manager's Job, which has
 * it. It starts after no other Jobs: those that the manager's Job names are the manager's, and its
 * {@code suspend} says whether it may start.
 */
final class MirrorCopy {
  /** The mutable fields of a Job's specification, except the pod template. */
  private static final List<String> MUTABLE =
      List.of(
          "suspend",
          "parallelism",
          "completions",
          "activeDeadlineSeconds",
          "backoffLimit",
          "maxFailedIndexes",
          "podReplacementPolicy");

  private static final List<String> GENERATED_LABELS =
      List.of(
          Names.CONTROLLER_UID, Names.LEGACY_CONTROLLER_UID, Names.JOB_NAME, Names.LEGACY_JOB_NAME);

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private MirrorCopy() {}

  /** Returns the copy to create. */
  static KubeObject of(KubeObject job, MirrorOwnership tie) {
    ObjectNode copy = Json.object().put("apiVersion", job.apiVersion()).put("kind", job.kindName());
    ObjectNode metadata = copy.putObject("metadata");
    metadata.put("namespace", job.namespace()).put("name", job.name());
    ObjectNode labels = metadata.putObject("labels");
    job.labels().forEach(labels::put);
    ObjectNode annotations = metadata.putObject("annotations");
    job.annotations().forEach(annotations::put);
    annotations.remove(List.of(LAST_APPLIED, After.ANNOTATION));
    annotations.remove(AfterProgress.ANNOTATIONS);
    if (!hasManualSelector(job)) {
      labels.remove(GENERATED_LABELS);
    }
    labels.remove(MirrorNames.OURS);
    annotations.remove(MirrorNames.OURS);
    tie(metadata, job, tie);
    mark(annotations, job);
    copy.set("spec", spec(job));
    return KubeObject.of(copy);
  }

  /** Returns a copy that has lost its ties with its ties. */
  static KubeObject tied(KubeObject copy, KubeObject job, MirrorOwnership tie) {
    ObjectNode tree = copy.copy();
    tie(tree.withObjectProperty("metadata"), job, tie);
    return KubeObject.of(tree);
  }

  private static void tie(ObjectNode metadata, KubeObject job, MirrorOwnership tie) {
    metadata
        .withObjectProperty("labels")
        .put(MirrorNames.OF, job.uid())
        .put(MirrorNames.FROM, tie.origin());
    ObjectNode annotations = metadata.withObjectProperty("annotations");
    annotations.put(MirrorNames.CLAIM, tie.claim()).remove(MirrorNames.MOVES);
    if (MirrorNames.moves(job) > 0) {
      annotations.put(MirrorNames.MOVES, Long.toString(MirrorNames.moves(job)));
    }
  }

  /** True if the manager's Job has changed since the copy was last updated. */
  static boolean isOutdated(KubeObject job, KubeObject copy) {
    return !Long.toString(job.generation()).equals(copy.annotation(MirrorNames.GENERATION));
  }

  /**
   * Returns the copy with the manager's values of all mutable fields, or one step towards that; the
   * copy unchanged if the worker has to act first. The pod template is left alone if it did not
   * change in the manager, since the worker may have added to it.
   *
   * <p>A template may change only while a Job is suspended and has stopped (KEP-2926). The
   * manager's Job is in that state, and may have left and entered it again before the copy was
   * updated.
   */
  static KubeObject updated(KubeObject job, KubeObject copy) {
    ObjectNode tree = copy.copy();
    ObjectNode spec = tree.withObjectProperty("spec");
    ObjectNode wanted = spec(job);
    if (mustScaleInTwoSteps(spec, wanted)) {
      spec.set("completions", wanted.get("completions"));
      spec.set("parallelism", wanted.get("completions"));
      return KubeObject.of(tree);
    }
    boolean reshaped = isReshaped(job, copy);
    if (reshaped && isSuspended(wanted) && hasStarted(copy)) {
      spec.put("suspend", true);
      return KubeObject.of(tree);
    }
    MUTABLE.forEach(member -> put(spec, member, wanted.get(member)));
    if (reshaped) {
      spec.set("template", withLabelsOf(copy, wanted));
    }
    mark(tree.withObjectProperty("metadata").withObjectProperty("annotations"), job);
    return KubeObject.of(tree);
  }

  /**
   * True if the manager's template has changed since it was last copied. A copy that has lost its
   * annotations does not say so: then only a suspended Job's template may have changed.
   */
  private static boolean isReshaped(KubeObject job, KubeObject copy) {
    String mark = copy.annotation(MirrorNames.TEMPLATE);
    return mark == null ? isSuspended(job.spec()) : !templateMark(job).equals(mark);
  }

  /**
   * True if completions change and parallelism has to become something else: each change is allowed
   * alone, both at once are not (KEP-3715).
   */
  private static boolean mustScaleInTwoSteps(ObjectNode spec, ObjectNode wanted) {
    JsonNode completions = wanted.get("completions");
    return completions != null
        && completions.isNumber()
        && !completions.equals(spec.get("completions"))
        && !completions.equals(wanted.get("parallelism"));
  }

  private static boolean isSuspended(@Nullable ObjectNode spec) {
    return Boolean.TRUE.equals(Json.bool(spec, "suspend"));
  }

  /** True if the copy's pods run, or have not been stopped yet. */
  private static boolean hasStarted(KubeObject copy) {
    return !isSuspended(copy.spec()) || Json.text(copy.status(), "startTime") != null;
  }

  /** Returns the copy as an ordinary Job of the worker, without ties to the manager. */
  static KubeObject orphaned(KubeObject copy) {
    ObjectNode tree = copy.copy();
    ObjectNode metadata = tree.withObjectProperty("metadata");
    metadata.withObjectProperty("labels").remove(MirrorNames.OURS);
    metadata.withObjectProperty("annotations").remove(MirrorNames.OURS);
    return KubeObject.of(tree);
  }

  private static ObjectNode spec(KubeObject job) {
    ObjectNode spec = Objects.requireNonNullElseGet(job.spec(), Json::object).deepCopy();
    spec.remove(List.of("managedBy", "ttlSecondsAfterFinished"));
    if (!hasManualSelector(job)) {
      spec.remove(List.of("selector", "manualSelector"));
      ObjectNode labels =
          Json.objectAt(Json.objectAt(Json.objectAt(spec, "template"), "metadata"), "labels");
      if (labels != null) {
        labels.remove(GENERATED_LABELS);
      }
    }
    return spec;
  }

  private static boolean hasManualSelector(KubeObject job) {
    return Boolean.TRUE.equals(Json.bool(job.spec(), "manualSelector"));
  }

  private static void put(ObjectNode spec, String member, @Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      spec.remove(member);
    } else {
      spec.set(member, value);
    }
  }

  /** Returns the manager's template, with the labels that the worker generated for its own. */
  private static JsonNode withLabelsOf(KubeObject copy, ObjectNode wanted) {
    ObjectNode template = wanted.withObjectProperty("template");
    ObjectNode labels = template.withObjectProperty("metadata").withObjectProperty("labels");
    ObjectNode old = Json.objectAt(Json.objectAt(copy.spec(), "template"), "metadata");
    Json.forEachText(
        old,
        "labels",
        (key, value) -> {
          if (GENERATED_LABELS.contains(key)) {
            labels.put(key, value);
          }
        });
    return template;
  }

  private static void mark(ObjectNode annotations, KubeObject job) {
    annotations.put(MirrorNames.GENERATION, Long.toString(job.generation()));
    annotations.put(MirrorNames.TEMPLATE, templateMark(job));
  }

  /** Returns a fingerprint of the pod template that does not depend on the order of members. */
  private static String templateMark(KubeObject job) {
    JsonNode template = spec(job).get("template");
    String text = template == null ? "" : sorted(template).toString();
    return Sha256.hex(text.getBytes(StandardCharsets.UTF_8)).substring(0, 32);
  }

  private static Object sorted(JsonNode node) {
    if (node instanceof ObjectNode object) {
      TreeMap<String, Object> members = new TreeMap<>();
      object
          .properties()
          .forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
      return members;
    }
    return node.isArray() ? node.valueStream().map(MirrorCopy::sorted).toList() : node;
  }
}
