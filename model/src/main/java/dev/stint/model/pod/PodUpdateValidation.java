package dev.stint.model.pod;

import dev.stint.model.Json;
import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.MetadataRules;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What may change in a pod: images, a nearer deadline, more tolerations, fewer scheduling gates;
 * and where the pod may go, as long as a gate holds it.
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
   * @return the faults; empty where the change is allowed
   */
  public static List<FieldError> update(ObjectNode before, ObjectNode after) {
    Faults faults = new Faults();
    At old = At.root(before);
    At changed = At.root(after);
    MetadataRules.update(
        old.get("metadata"), changed.get("metadata"), Formats::dnsSubdomain, faults);
    At from = old.get("spec");
    At to = changed.get("spec");
    if (from.sameAs(to)) {
      return faults.list();
    }
    PodSpecRules.check(to, true, faults);
    if (sameContainers(from, to, faults)) {
      deadline(from.get("activeDeadlineSeconds"), to.get("activeDeadlineSeconds"), faults);
      tolerations(from.get("tolerations"), to.get("tolerations"), faults);
      gates(from.get("schedulingGates"), to.get("schedulingGates"), faults);
      rest(from, to, faults);
    }
    return faults.list();
  }

  private static boolean sameContainers(At from, At to, Faults faults) {
    boolean same = true;
    for (String list : CONTAINER_LISTS) {
      if (from.get(list).items().size() != to.get(list).items().size()) {
        faults.forbidden(to.get(list), "containers can't be added to a pod or removed from it");
        same = false;
      }
    }
    return same;
  }

  private static void deadline(At from, At to, Faults faults) {
    if (from.exists() && !to.exists()) {
      faults.invalid(to, "can't be removed");
    } else if (from.exists() && to.count() > from.count()) {
      faults.invalid(to, to.count() + " must be at most what it was, " + from.count());
    }
  }

  /** Only how long a toleration lasts may change; new ones may come. */
  private static void tolerations(At from, At to, Faults faults) {
    Set<JsonNode> kept =
        to.items().stream()
            .map(toleration -> without(toleration, List.of("tolerationSeconds")))
            .collect(Collectors.toSet());
    for (At toleration : from.items()) {
      if (!kept.contains(without(toleration, List.of("tolerationSeconds")))) {
        faults.forbidden(to, "a toleration can't be removed or changed but in tolerationSeconds");
        return;
      }
    }
  }

  private static void gates(At from, At to, Faults faults) {
    Set<String> known =
        from.items().stream().map(gate -> gate.get("name").text()).collect(Collectors.toSet());
    for (At gate : to.items()) {
      if (!known.contains(gate.get("name").text())) {
        faults.forbidden(gate, "a gate can be removed from a pod, and not added");
      }
    }
  }

  private static void rest(At from, At to, Faults faults) {
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
      nodeSelector(from.get("nodeSelector"), to.get("nodeSelector"), faults);
      fixed.remove("nodeSelector");
      wanted.remove("nodeSelector");
      withoutNewNodeAffinity(fixed, wanted);
    }
    if (!At.root(fixed).sameAs(At.root(wanted))) {
      faults.forbidden(
          to,
          "can't be changed but for containers' and initContainers' image,"
              + " activeDeadlineSeconds, tolerations (additions) and"
              + " terminationGracePeriodSeconds (from below 0 to 1)");
    }
  }

  private static void nodeSelector(At from, At to, Faults faults) {
    boolean kept =
        from.entries().stream().allMatch(label -> label.text().equals(to.get(label.key()).text()));
    if (!kept) {
      faults.invalid(to, "labels can be added, and not changed or removed");
    }
  }

  /** A gated pod may be given a node affinity where it has none. */
  private static void withoutNewNodeAffinity(ObjectNode fixed, ObjectNode wanted) {
    ObjectNode affinity = Json.objectAt(wanted, "affinity");
    ObjectNode old = Json.objectAt(fixed, "affinity");
    if (affinity != null && (old == null || !old.hasNonNull("nodeAffinity"))) {
      affinity.remove("nodeAffinity");
      if (affinity.isEmpty() && old == null) {
        wanted.remove("affinity");
      }
    }
  }

  private static ObjectNode without(At object, List<String> members) {
    ObjectNode copy = object.node() instanceof ObjectNode found ? found.deepCopy() : Json.object();
    copy.remove(members);
    return copy;
  }

  private static void withoutImages(ObjectNode spec, String list) {
    PodDefaults.each(spec, list, container -> container.remove("image"));
  }
}
