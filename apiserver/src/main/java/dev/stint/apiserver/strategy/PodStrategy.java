package dev.stint.apiserver.strategy;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldPath;
import dev.stint.model.pod.GatedPodFields;
import dev.stint.model.pod.PodDefaults;
import dev.stint.model.pod.PodPhase;
import dev.stint.model.pod.PodPreparation;
import dev.stint.model.pod.PodStatusDefaults;
import dev.stint.model.pod.PodStatusValidation;
import dev.stint.model.pod.PodTemplateWarnings;
import dev.stint.model.pod.PodUpdateValidation;
import dev.stint.model.pod.PodValidation;
import dev.stint.model.pod.PrivilegedContainerRules;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The strategy of pods: they begin as pending, are bound to the only node if there is one, and are
 * deleted with a grace period.
 */
public final class PodStrategy implements Strategy {
  private static final long DEFAULT_GRACE_SECONDS = 30;
  private static final long EVICTION_DELAY_SECONDS = 300;

  private static final List<List<String>> FILLED_IN =
      List.of(
          List.of("spec", "nodeName"),
          List.of("spec", "priority"),
          List.of("spec", "priorityClassName"),
          List.of("spec", "preemptionPolicy"),
          List.of("spec", "tolerations"));

  private final FeatureGates gates;
  private final @Nullable String nodeName;
  private final boolean allowPrivileged;
  private final AcceptedPods accepted = new AcceptedPods();

  /**
   * @param nodeName the node that pods are bound to when they are created; null for none
   * @param allowPrivileged true if pods may have privileged containers
   */
  public PodStrategy(FeatureGates gates, @Nullable String nodeName, boolean allowPrivileged) {
    this.gates = gates;
    this.nodeName = nodeName;
    this.allowPrivileged = allowPrivileged;
  }

  @Override
  public Kind kind() {
    return Kind.POD;
  }

  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public boolean hasGeneration() {
    return true;
  }

  @Override
  public List<List<String>> filledIn() {
    return FILLED_IN;
  }

  /**
   * Returns a shallow copy: pods of one Job share nearly all of their spec, so it is copied only if
   * it changes.
   */
  @Override
  public ObjectNode draft(ObjectNode wanted) {
    return Json.copyOf(wanted);
  }

  @Override
  public List<FieldError> create(ObjectNode pod) {
    ObjectNode given = Json.objectAt(pod, "spec");
    ObjectNode annotations = Json.objectAt(MetadataDefaults.of(pod), "annotations");
    ObjectNode common = PodPreparation.changesSpec(annotations) ? null : given;
    AcceptedPods.Accepted like = common == null ? null : accepted.like(common);
    if (like != null) {
      like.complete(pod);
      return PodValidation.createAlike(pod);
    }
    ObjectNode spec = given == null ? null : given.deepCopy();
    if (spec != null) {
      pod.set("spec", spec);
      GatedPodFields.drop(spec, null, gates);
      admit(spec);
    }
    PodDefaults.applyToPod(pod);
    PodPreparation.create(pod);
    ObjectNode status = pod.putObject("status");
    status.put("phase", "Pending");
    status.put("qosClass", QosClass.of(pod).toString());
    if (isGated(spec)) {
      addSchedulingGated(status, MetadataDefaults.of(pod).get("creationTimestamp"));
    }
    List<FieldError> faults = withPrivileges(PodValidation.create(pod), pod);
    if (common != null && spec != null && faults.isEmpty() && !dependsOnMetadata(common)) {
      accepted.add(common, spec, status);
    }
    return faults;
  }

  /** True if two pods with this same spec may be stored differently. */
  private static boolean dependsOnMetadata(ObjectNode spec) {
    return isGated(spec) || PodPreparation.dependsOnMetadata(spec);
  }

  @Override
  public List<FieldError> update(ObjectNode before, ObjectNode after) {
    if (before.get("spec") != after.get("spec")) {
      admitChange(Json.objectAt(before, "spec"), Json.objectAt(after, "spec"));
      PodDefaults.applyToPod(after);
      GatedPodFields.drop(after.withObjectProperty("spec"), Json.objectAt(before, "spec"), gates);
    }
    List<FieldError> faults = withPrivileges(PodUpdateValidation.update(before, after), after);
    ObjectNode spec = Json.objectAt(after, "spec");
    if (spec != null && isGated(Json.objectAt(before, "spec")) && !isGated(spec)) {
      bind(spec);
    }
    return faults;
  }

  private List<FieldError> withPrivileges(List<FieldError> faults, ObjectNode pod) {
    return allowPrivileged
        ? faults
        : PrivilegedContainerRules.with(faults, FieldPath.root(pod).get("spec"));
  }

  /** Returns warnings for new pods only, as in Kubernetes: users seldom update others. */
  @Override
  public List<String> warnings(@Nullable ObjectNode before, ObjectNode after) {
    return before == null ? PodTemplateWarnings.ofPod(FieldPath.root(after)) : List.of();
  }

  /** True if the pod has scheduling gates (KEP-3521). */
  private static boolean isGated(@Nullable ObjectNode spec) {
    ArrayNode gates = Json.arrayAt(spec, "schedulingGates");
    return gates != null && !gates.isEmpty();
  }

  private static void addSchedulingGated(ObjectNode status, @Nullable JsonNode since) {
    ObjectNode condition = status.putArray("conditions").addObject();
    condition.put("type", "PodScheduled");
    condition.put("status", "False");
    condition.putNull("lastProbeTime");
    condition.set("lastTransitionTime", since);
    condition.put("reason", "SchedulingGated");
    condition.put("message", "Scheduling is blocked due to non-empty scheduling gates");
  }

  private void bind(ObjectNode spec) {
    if (nodeName != null && !spec.hasNonNull("nodeName")) {
      spec.put("nodeName", nodeName);
    }
  }

  @Override
  public List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
    MetadataDefaults.copy(
        "ownerReferences", MetadataDefaults.of(before), MetadataDefaults.of(after));
    MetadataDefaults.copy(
        "deletionTimestamp", MetadataDefaults.of(before), MetadataDefaults.of(after));
    ObjectNode status = Json.objectAt(after, "status");
    if (status != null) {
      PodStatusDefaults.apply(Json.objectAt(before, "status"), status);
    }
    return PodStatusValidation.update(before, after);
  }

  @Override
  public boolean hasGracePeriod() {
    return true;
  }

  /** Returns the grace period; 0 for a pod that is not bound, or has ended. */
  @Override
  public long gracePeriodSeconds(ObjectNode pod, @Nullable Long asked) {
    ObjectNode spec = Json.objectAt(pod, "spec");
    String node = Json.text(spec, "nodeName");
    if (node == null || node.isEmpty() || isTerminal(pod)) {
      return 0;
    }
    Long own = Json.longInteger(spec, "terminationGracePeriodSeconds");
    long period = asked != null ? asked : Objects.requireNonNullElse(own, DEFAULT_GRACE_SECONDS);
    return period < 0 ? 1 : period;
  }

  private static boolean isTerminal(ObjectNode pod) {
    return PodPhase.of(pod).isTerminal();
  }

  /** Adds the defaults of a cluster's admission to a new pod. */
  private void admit(ObjectNode spec) {
    if (!isGated(spec)) {
      bind(spec);
    }
    tolerate(spec);
    if (!spec.has("priority")) {
      spec.put("priority", 0);
    }
    if (!spec.has("preemptionPolicy")) {
      spec.put("preemptionPolicy", "PreemptLowerPriority");
    }
  }

  /** Adds the defaults of a cluster's admission to a pod that is replaced. */
  private static void admitChange(@Nullable ObjectNode before, @Nullable ObjectNode after) {
    if (before == null || after == null) {
      return;
    }
    tolerate(after);
    for (String member : List.of("priority", "preemptionPolicy")) {
      if (!after.hasNonNull(member)) {
        MetadataDefaults.copy(member, before, after);
      }
    }
  }

  private static void tolerate(ObjectNode spec) {
    tolerate(spec.withArrayProperty("tolerations"), "node.kubernetes.io/not-ready");
    tolerate(spec.withArrayProperty("tolerations"), "node.kubernetes.io/unreachable");
  }

  private static void tolerate(ArrayNode tolerations, String taint) {
    for (JsonNode toleration : tolerations) {
      String key = Json.text(toleration, "key");
      String effect = Json.text(toleration, "effect");
      if ((key == null || key.isEmpty() || key.equals(taint))
          && (effect == null || effect.isEmpty() || effect.equals("NoExecute"))) {
        return;
      }
    }
    ObjectNode toleration = tolerations.addObject();
    toleration.put("key", taint);
    toleration.put("operator", "Exists");
    toleration.put("effect", "NoExecute");
    toleration.put("tolerationSeconds", EVICTION_DELAY_SECONDS);
  }
}
