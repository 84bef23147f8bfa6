package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.List;
import java.util.stream.Stream;

/** Rules of {@code os}, and of what the other system's pods can't have. */
final class OperatingSystemRules {
  private static final List<String> SYSTEMS = List.of("linux", "windows");
  private static final List<String> LINUX_POD =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seLinuxChangePolicy",
          "seccompProfile",
          "fsGroup",
          "fsGroupChangePolicy",
          "sysctls",
          "runAsUser",
          "runAsGroup",
          "supplementalGroups",
          "supplementalGroupsPolicy");
  private static final List<String> LINUX_CONTAINER =
      List.of(
          "appArmorProfile",
          "seLinuxOptions",
          "seccompProfile",
          "capabilities",
          "readOnlyRootFilesystem",
          "privileged",
          "allowPrivilegeEscalation",
          "procMount",
          "runAsUser",
          "runAsGroup");

  private OperatingSystemRules() {}

  static void check(At spec, Faults faults) {
    At os = spec.get("os");
    if (!os.exists()) {
      return;
    }
    switch (os.get("name").text()) {
      case "" -> faults.required(os.get("name"), "is needed: linux or windows");
      case "linux" -> linux(spec, faults);
      case "windows" -> windows(spec, faults);
      default -> faults.notSupported(os.path(), os.get("name").text(), SYSTEMS);
    }
  }

  private static void linux(At spec, Faults faults) {
    forbid(spec.get("securityContext"), List.of("windowsOptions"), "linux", faults);
    containers(spec)
        .forEach(c -> forbid(c.get("securityContext"), List.of("windowsOptions"), "linux", faults));
  }

  private static void windows(At spec, Faults faults) {
    for (String member : List.of("hostPID", "hostIPC")) {
      if (spec.get(member).isTrue()) {
        faults.forbidden(spec.get(member), "can't be set where os.name is windows");
      }
    }
    forbid(spec, List.of("hostUsers", "shareProcessNamespace", "resources"), "windows", faults);
    forbid(spec.get("securityContext"), LINUX_POD, "windows", faults);
    containers(spec)
        .forEach(c -> forbid(c.get("securityContext"), LINUX_CONTAINER, "windows", faults));
  }

  private static Stream<At> containers(At spec) {
    return Stream.of("initContainers", "containers", "ephemeralContainers")
        .flatMap(list -> spec.get(list).items().stream());
  }

  private static void forbid(At holder, List<String> members, String system, Faults faults) {
    for (String member : members) {
      At field = holder.get(member);
      if (field.exists() && !(member.equals("sysctls") && field.isEmpty())) {
        faults.forbidden(field, "can't be set where os.name is " + system);
      }
    }
  }
}
