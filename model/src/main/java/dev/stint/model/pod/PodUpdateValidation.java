package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.document.StoredForm;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of a pod. Mutable are images, the deadline (which may only be shortened),
 * additional tolerations, the removal of scheduling gates and, while a gate holds the pod, its
 * scheduling directives.
 *
 * <pre>{@code
 * List<FieldError> faults = PodUpdateValidation.update(stored, wanted);
 * }</pre>
 */
public final class PodUpdateValidation {
  private static final List<String> CONTAINER_LISTS = List.of("containers", "initContainers");
  private static final List<String> CHANGEABLE =
      List.of("activeDeadlineSeconds", "tolerations", "schedulingGates");

  private PodUpdateValidation() {}

  /**
   * Checks a changed pod. Both must have their defaults ({@link PodDefaults}).
   *
   * @return the faults; empty if the change is allowed
   */
  public static List<FieldError> update(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    FieldPath old = FieldPath.root(before);
    FieldPath changed = FieldPath.root(after);
    MetadataRules.update(
        old.get("metadata"), changed.get("metadata"), Formats::dnsSubdomain, faults);
    FieldPath from = old.get("spec");
    FieldPath to = changed.get("spec");
    if (from.sameAs(to)) {
      return faults.list();
    }
    PodSpecRules.check(to, FieldPath.root(after).get("metadata", "name").text(), faults);
    PodSpecRules.restartPolicy(to.get("restartPolicy"), faults);
    change(from, FieldPath.root(StoredForm.of(after, before)).get("spec"), faults);
    return faults.list();
  }

  private static void change(FieldPath from, FieldPath to, FieldErrors faults) {
    if (hasSameContainers(from, to, faults)
        && shortensDeadline(
            from.get("activeDeadlineSeconds"), to.get("activeDeadlineSeconds"), faults)) {
      tolerations(from.get("tolerations"), to.get("tolerations"), faults);
      gates(from.get("schedulingGates"), to.get("schedulingGates"), faults);
      rest(from, to, faults);
    }
  }

  /**
   * True if no container was added or removed. As in Kubernetes, the first such fault ends
   * validation.
   */
  private static boolean hasSameContainers(FieldPath from, FieldPath to, FieldErrors faults) {
    for (String list : CONTAINER_LISTS) {
      if (from.get(list).items().size() != to.get(list).items().size()) {
        faults.forbidden(to.get(list), "pod updates may not add or remove containers");
        return false;
      }
    }
    return true;
  }

  /** Checks the deadline; false if validation ends here, as in Kubernetes. */
  private static boolean shortensDeadline(FieldPath from, FieldPath to, FieldErrors faults) {
    if (!to.exists()) {
      if (from.exists()) {
        faults.invalid(to, "must not update from a positive integer to nil value");
      }
      return true;
    }
    boolean possible = to.count() >= 0 && to.count() <= Integer.MAX_VALUE;
    if (!possible || from.exists() && to.count() > from.count()) {
      faults.invalid(to, "must be less than or equal to previous value, and from 0 to 2147483647");
      return false;
    }
    return true;
  }

  /** Checks that existing tolerations change only in their duration; new ones may be added. */
  private static void tolerations(FieldPath from, FieldPath to, FieldErrors faults) {
    Set<JsonNode> kept =
        to.items().stream()
            .map(toleration -> without(toleration, List.of("tolerationSeconds")))
            .collect(Collectors.toSet());
    for (FieldPath toleration : from.items()) {
      if (!kept.contains(without(toleration, List.of("tolerationSeconds")))) {
        faults.forbidden(
            to, "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
  }

  private static void gates(FieldPath from, FieldPath to, FieldErrors faults) {
    Set<String> known =
        from.items().stream().map(gate -> gate.get("name").text()).collect(Collectors.toSet());
    for (FieldPath gate : to.items()) {
      if (!known.contains(gate.get("name").text())) {
        faults.forbidden(
            gate.get("name"), "only deletion is allowed, but found new scheduling gate");
      }
    }
  }

  private static void rest(FieldPath from, FieldPath to, FieldErrors faults) {
    boolean gated = !from.get("schedulingGates").isEmpty();
    ObjectNode fixed = without(from, CHANGEABLE);
    ObjectNode wanted = without(to, CHANGEABLE);
    CONTAINER_LISTS.forEach(list -> withoutImages(fixed, list));
    CONTAINER_LISTS.forEach(list -> withoutImages(wanted, list));
    if (from.get("terminationGracePeriodSeconds").count() < 0
        && to.get("terminationGracePeriodSeconds").count() == 1) {
      fixed.put("terminationGracePeriodSeconds", 1);
      wanted.put("terminationGracePeriodSeconds", 1);
    }
    if (gated) {
      GatedPodRules.check(from, to, faults);
      fixed.remove("nodeSelector");
      wanted.remove("nodeSelector");
      withoutNodeAffinity(fixed, wanted);
    }
    if (!FieldPath.root(fixed).sameAs(FieldPath.root(wanted))) {
      faults.forbidden(
          to,
          "cannot be changed except for the image of containers and initContainers,"
              + " activeDeadlineSeconds, tolerations (additions) and"
              + " terminationGracePeriodSeconds (from below 0 to 1)");
    }
  }

  private static void withoutNodeAffinity(ObjectNode fixed, ObjectNode wanted) {
    FieldPath old = FieldPath.root(fixed).get("affinity", "nodeAffinity");
    if (old.sameAs(FieldPath.root(wanted).get("affinity", "nodeAffinity"))) {
      return;
    }
    for (ObjectNode spec : List.of(fixed, wanted)) {
      ObjectNode affinity = Json.objectAt(spec, "affinity");
      if (affinity != null) {
        affinity.remove("nodeAffinity");
        if (affinity.isEmpty()) {
          spec.remove("affinity");
        }
      }
    }
  }

  private static ObjectNode without(FieldPath object, List<String> members) {
    ObjectNode copy = object.node() instanceof ObjectNode found ? found.deepCopy() : Json.object();
    copy.remove(members);
    return copy;
  }

  private static void withoutImages(ObjectNode spec, String list) {
    PodDefaults.each(spec, list, container -> container.remove("image"));
  }
}
