package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of a pod's and of a container's security context. */
final class SecurityContextRules {
  private static final List<String> PROC_MOUNTS = List.of("Default", "Unmasked");
  private static final List<String> GROUP_CHANGES = List.of("Always", "OnRootMismatch");
  private static final List<String> GROUP_POLICIES = List.of("Merge", "Strict");
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final String SYSCTL = "[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?";
  private static final String SYSCTL_NAME = "(?:" + SYSCTL + "[./])*" + SYSCTL;
  private static final int LONGEST_SYSCTL = 253;

  private SecurityContextRules() {}

  static void pod(At spec, Faults faults) {
    At context = spec.get("securityContext");
    ids(context, List.of("runAsUser", "runAsGroup", "fsGroup"), faults);
    context.get("supplementalGroups").items().forEach(group -> id(group, faults));
    faults.notSupportedUnlessIn(context.get("fsGroupChangePolicy"), GROUP_CHANGES);
    faults.notSupportedUnlessIn(context.get("supplementalGroupsPolicy"), GROUP_POLICIES);
    if (spec.get("shareProcessNamespace").isTrue() && spec.get("hostPID").isTrue()) {
      faults.invalid(
          context.get("shareProcessNamespace"), "and hostPID can't both be true in a pod");
    }
    profiles(context, faults);
    sysctls(context.get("sysctls"), faults);
  }

  static void container(At context, boolean hostUsers, Faults faults) {
    if (!context.exists()) {
      return;
    }
    ids(context, List.of("runAsUser", "runAsGroup"), faults);
    At procMount = context.get("procMount");
    faults.notSupportedUnlessIn(procMount, PROC_MOUNTS);
    if (procMount.text().equals("Unmasked") && hostUsers) {
      faults.invalid(procMount, "Unmasked needs hostUsers: false on the pod");
    }
    profiles(context, faults);
    privileges(context, faults);
  }

  private static void privileges(At context, Faults faults) {
    boolean privileged = context.get("privileged").isTrue();
    if (privileged) {
      faults.forbidden(context.get("privileged"), "privileged containers are not allowed");
    }
    At escalation = context.get("allowPrivilegeEscalation");
    if (!escalation.exists() || escalation.isTrue()) {
      return;
    }
    if (privileged) {
      faults.invalid(context, "allowPrivilegeEscalation can't be false where privileged is true");
    }
    boolean admin =
        context.get("capabilities", "add").items().stream()
            .anyMatch(capability -> capability.text().equals("CAP_SYS_ADMIN"));
    if (admin) {
      faults.invalid(
          context, "allowPrivilegeEscalation can't be false where CAP_SYS_ADMIN is added");
    }
  }

  private static void ids(At context, List<String> members, Faults faults) {
    members.forEach(member -> id(context.get(member), faults));
  }

  private static void id(At id, Faults faults) {
    if (id.count() < 0 || id.count() > Integer.MAX_VALUE) {
      faults.invalid(id, id.count() + " must be from 0 to 2147483647");
    }
  }

  private static void profiles(At context, Faults faults) {
    for (String member : List.of("seccompProfile", "appArmorProfile")) {
      At profile = context.get(member);
      if (profile.exists()) {
        profile(profile, faults);
      }
    }
  }

  private static void profile(At profile, Faults faults) {
    At type = profile.get("type");
    At file = profile.get("localhostProfile");
    if (type.isEmpty()) {
      faults.required(type, "is needed: Localhost, RuntimeDefault or Unconfined");
    } else {
      faults.notSupportedUnlessIn(type, PROFILES);
    }
    boolean local = type.text().equals("Localhost");
    if (local && file.isEmpty()) {
      faults.required(file, "is needed with type Localhost");
    } else if (!local && file.exists()) {
      faults.invalid(file, "is for type Localhost only");
    } else if (!FileRules.staysBelow(file.text())) {
      faults.invalid(file, "must be a relative path without \"..\"");
    }
  }

  private static void sysctls(At sysctls, Faults faults) {
    Set<String> names = new HashSet<>();
    for (At sysctl : sysctls.items()) {
      At name = sysctl.get("name");
      if (name.isEmpty()) {
        faults.required(name, "is needed");
      } else if (name.text().length() > LONGEST_SYSCTL || !name.text().matches(SYSCTL_NAME)) {
        faults.invalid(name, "must be lower case words with '.' or '/' between them");
      } else if (!names.add(name.text().replace('/', '.'))) {
        faults.duplicate(name, "\"" + name.text() + "\" stands here twice");
      }
    }
  }
}
