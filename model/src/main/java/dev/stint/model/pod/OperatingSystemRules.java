package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.stream.Stream;

/** Rules of {@code os}, and of the fields that pods of the other system cannot have. */
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

  static void check(FieldPath spec, FieldErrors faults) {
    FieldPath os = spec.get("os");
    if (!os.exists()) {
      return;
    }
    switch (os.get("name").text()) {
      case "" -> faults.required(os.get("name"), "is required: linux or windows");
      case "linux" -> linux(spec, faults);
      case "windows" -> windows(spec, faults);
      default -> faults.notSupported(os.path(), os.get("name").text(), SYSTEMS);
    }
  }

  private static void linux(FieldPath spec, FieldErrors faults) {
    forbid(spec.get("securityContext"), List.of("windowsOptions"), "linux", faults);
    containers(spec)
        .forEach(c -> forbid(c.get("securityContext"), List.of("windowsOptions"), "linux", faults));
  }

  private static void windows(FieldPath spec, FieldErrors faults) {
    for (String member : List.of("hostPID", "hostIPC")) {
      if (spec.get(member).isTrue()) {
        faults.forbidden(spec.get(member), "cannot be set when os.name is windows");
      }
    }
    forbid(spec, List.of("hostUsers", "shareProcessNamespace", "resources"), "windows", faults);
    forbid(spec.get("securityContext"), LINUX_POD, "windows", faults);
    containers(spec)
        .forEach(c -> forbid(c.get("securityContext"), LINUX_CONTAINER, "windows", faults));
  }

  private static Stream<FieldPath> containers(FieldPath spec) {
    return Stream.of("initContainers", "containers", "ephemeralContainers")
        .flatMap(list -> spec.get(list).items().stream());
  }

  private static void forbid(
      FieldPath holder, List<String> members, String system, FieldErrors faults) {
    for (String member : members) {
      FieldPath field = holder.get(member);
      if (field.exists() && !(member.equals("sysctls") && field.isEmpty())) {
        faults.forbidden(field, "cannot be set when os.name is " + system);
      }
    }
  }
}
