package dev.stint.model.pod;

import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates changes of a pod's status: a container that has ended for good stays so, and names are
 * well-formed.
 *
 * <pre>{@code
 * List<FieldError> faults = PodStatusValidation.update(stored, wanted);
 * }</pre>
 */
public final class PodStatusValidation {
  private static final List<String> CONTAINER_STATUSES =
      List.of("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses");

  private PodStatusValidation() {}

  /**
   * Checks a changed status.
   *
   * @return the faults; empty if the status may be written
   */
  public static List<FieldError> update(ObjectNode before, ObjectNode after) {
    FieldErrors faults = new FieldErrors();
    FieldPath old = FieldPath.root(before).get("status");
    FieldPath status = FieldPath.root(after).get("status");
    FieldPath spec = FieldPath.root(after).get("spec");
    nominatedNodeName(old, status, spec, faults);
    faults.invalidIfNegative(status.get("observedGeneration"));
    for (FieldPath condition : status.get("conditions").items()) {
      // Kubernetes spells this path with a capital letter.
      FieldPath type = condition.get("type").reportedAt(condition.get("Type"));
      faults.invalidUnlessSound(type, Formats.qualifiedName(type.text()));
      faults.invalidIfNegative(condition.get("observedGeneration"));
    }
    PodAddressRules.check(status, faults);
    for (String list : CONTAINER_STATUSES) {
      status.get(list).items().forEach(container -> user(container.get("user"), spec, faults));
    }
    terminatedStates("containerStatuses", "containers", old, status, spec, faults);
    terminatedStates("initContainerStatuses", "initContainers", old, status, spec, faults);
    ResourceClaimStatusRules.check(status, spec, faults);
    if (!old.get("qosClass").isEmpty() && !old.get("qosClass").sameAs(status.get("qosClass"))) {
      faults.invalid(status.get("qosClass"), "field is immutable");
    }
    return faults.list();
  }

  /** Checks the nominated node, which only pods without a node may have. */
  private static void nominatedNodeName(
      FieldPath old, FieldPath status, FieldPath spec, FieldErrors faults) {
    FieldPath nominated = status.get("nominatedNodeName");
    if (nominated.isEmpty()) {
      return;
    }
    faults.invalidUnlessSound(nominated, Formats.dnsSubdomain(nominated.text()));
    if (!spec.get("nodeName").isEmpty() && !nominated.sameAs(old.get("nominatedNodeName"))) {
      faults.forbidden(nominated, "may not be set once the pod has a node");
    }
  }

  private static void user(FieldPath user, FieldPath spec, FieldErrors faults) {
    FieldPath linux = user.get("linux");
    if (!linux.exists()) {
      return;
    }
    if (spec.get("os", "name").text().equals("windows")) {
      faults.forbidden(linux, "may not be set for a windows pod");
      return;
    }
    SecurityContextRules.id(linux.get("uid"), faults);
    SecurityContextRules.id(linux.get("gid"), faults);
    for (FieldPath group : linux.get("supplementalGroups").items()) {
      SecurityContextRules.id(group, faults);
    }
  }

  private static void terminatedStates(
      String list,
      String containers,
      FieldPath before,
      FieldPath after,
      FieldPath spec,
      FieldErrors faults) {
    for (FieldPath old : before.get(list).items()) {
      String name = old.get("name").text();
      FieldPath exit = old.get("state", "terminated");
      if (exit.exists() && isFinal(exit.get("exitCode").count(), policy(spec, containers, name))) {
        after.get(list).items().stream()
            .filter(status -> status.get("name").text().equals(name))
            .filter(status -> !status.get("state", "terminated").exists())
            .forEach(status ->
                faults.forbidden(
                    old.get("state"), "a container that has terminated for good cannot change"));
      }
    }
  }

  private static boolean isFinal(long exitCode, String restartPolicy) {
    return switch (restartPolicy) {
      case "Never" -> true;
      case "OnFailure" -> exitCode == 0;
      default -> false;
    };
  }

  /**
   * Returns the container's own restart policy, else the pod's; restart policy rules may always
   * restart it.
   */
  private static String policy(FieldPath spec, String containers, String name) {
    for (FieldPath container : spec.get(containers).items()) {
      if (container.get("name").text().equals(name)) {
        if (!container.get("restartPolicyRules").isEmpty()) {
          return "Always";
        }
        if (container.get("restartPolicy").exists()) {
          return container.get("restartPolicy").text();
        }
      }
    }
    return spec.get("restartPolicy").text();
  }
}
