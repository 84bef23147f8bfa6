package dev.stint.model.pod;

import dev.stint.model.Quantity;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules of a pod's own {@code resources}, which its containers share (KEP-2837, Validation). */
final class PodResourceRules {
  private static final Set<String> SUPPORTED = Set.of("cpu", "memory");

  private PodResourceRules() {}

  /**
   * @param claims the names of the pod's resource claims
   */
  static void check(FieldPath spec, Set<String> claims, FieldErrors faults) {
    FieldPath resources = spec.get("resources");
    // Windows pods cannot have any; OperatingSystemRules reports that.
    if (!resources.exists() || spec.get("os", "name").text().equals("windows")) {
      return;
    }
    if (resources.get("claims").exists()) {
      faults.forbidden(resources.get("claims"), "can be set for containers only");
      ResourceRules.claims(resources, claims, faults);
    }
    ResourceRules.check(resources, PodResourceRules::name, faults);
    requests(spec, resources.get("requests"), faults);
    limits(spec, resources, faults);
  }

  /** True if pods as a whole can have this resource. */
  static boolean isSupported(String name) {
    return SUPPORTED.contains(name) || name.startsWith(ResourceRules.HUGE_PAGES);
  }

  private static void name(FieldPath amount, FieldErrors faults) {
    FieldErrors own = new FieldErrors();
    ResourceRules.name(amount, own);
    if (own.isEmpty() && !isSupported(amount.key())) {
      faults.notSupported(amount.path(), amount.key(), SUPPORTED);
    }
    faults.addAll(own.list());
  }

  private static void requests(FieldPath spec, FieldPath requests, FieldErrors faults) {
    Map<String, Quantity> needed = ContainerAmounts.requests(spec.node());
    for (FieldPath request : requests.entries()) {
      Quantity amount = Quantity.parse(request.text());
      Quantity least = needed.get(request.key());
      if (amount != null && least != null && amount.compareTo(least) < 0) {
        faults.invalid(request, request.text() + " must be at least what the containers request");
      }
    }
  }

  private static void limits(FieldPath spec, FieldPath resources, FieldErrors faults) {
    List<FieldPath> containers = spec.get("containers").items();
    for (int i = 0; i < containers.size(); i++) {
      for (FieldPath limit : containers.get(i).get("resources", "limits").entries()) {
        Quantity amount = Quantity.parse(limit.text());
        Quantity most = Quantity.parse(resources.get("limits", limit.key()).text());
        if (amount != null && most != null && amount.compareTo(most) > 0) {
          // Kubernetes reports the fault here.
          faults.invalid(
              resources.path() + ".containers[" + i + "][" + limit.key() + "].limits",
              limit.text() + " must be at most the pod's limit");
        }
      }
    }
  }
}
