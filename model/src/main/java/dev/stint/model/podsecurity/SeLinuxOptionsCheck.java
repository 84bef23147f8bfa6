package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** SELinux: the types of containers, and no user or role. */
final class SeLinuxOptionsCheck {
  private static final Set<String> TYPES =
      Set.of("", "container_t", "container_init_t", "container_kvm_t");
  private static final Set<String> TYPES_SINCE_31 =
      Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

  private static final List<String> NAMES = List.of("user", "role");

  static final PodCheck CHECK =
      PodCheck.baseline(
          "seLinuxOptions",
          new PodCheck.Revision(0, pod -> check(pod, TYPES)),
          new PodCheck.Revision(31, pod -> check(pod, TYPES_SINCE_31)));

  private SeLinuxOptionsCheck() {}

  private static @Nullable PolicyViolation check(CheckedPod pod, Set<String> types) {
    boolean pods = isForbidden(pod.securityContext(), types);
    List<String> containers = pod.namesWhere(context -> isForbidden(context, types));
    if (!pods && containers.isEmpty()) {
      return null;
    }
    return new PolicyViolation(
        "seLinuxOptions",
        ViolationText.setters(pods, containers)
            + " set forbidden securityContext.seLinuxOptions: "
            + String.join("; ", faults(pod, types)));
  }

  private static List<String> faults(CheckedPod pod, Set<String> allowed) {
    TreeSet<String> types = new TreeSet<>();
    Set<String> names = new HashSet<>();
    pod.eachSecurityContext(context -> {
      FieldPath options = context.get("seLinuxOptions");
      types.add(options.get("type").text());
      NAMES.stream().filter(name -> !options.get(name).isEmpty()).forEach(names::add);
    });
    types.removeAll(allowed);
    List<String> faults = new ArrayList<>();
    if (!types.isEmpty()) {
      faults.add(ViolationText.noun("type", types) + " " + ViolationText.quoted(types));
    }
    NAMES.stream().filter(names::contains).forEach(name -> faults.add(name + " may not be set"));
    return faults;
  }

  private static boolean isForbidden(FieldPath securityContext, Set<String> types) {
    FieldPath options = securityContext.get("seLinuxOptions");
    return !types.contains(options.get("type").text())
        || NAMES.stream().anyMatch(name -> !options.get(name).isEmpty());
  }
}
