package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules of a pod's and of a container's security context. */
final class SecurityContextRules {
  private static final List<String> PROC_MOUNTS = List.of("Default", "Unmasked");
  private static final List<String> GROUP_CHANGES = List.of("Always", "OnRootMismatch");
  private static final List<String> GROUP_POLICIES = List.of("Merge", "Strict");

  /** The supported values. MountOption needs the gate SELinuxMount, which is off by default. */
  private static final List<String> LABEL_CHANGES = List.of("Recursive");

  private static final Pattern IPC_SYSCTL =
      Pattern.compile("kernel\\.(?:sem$|shm|msg)|fs\\.mqueue\\.");
  private static final int LONGEST_PROFILE = 4095;
  private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
  private static final String SYSCTL = "[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?";
  private static final String SYSCTL_NAME = "(?:" + SYSCTL + "[./])*" + SYSCTL;
  private static final int LONGEST_SYSCTL = 253;

  private SecurityContextRules() {}

  static void pod(FieldPath spec, FieldErrors faults) {
    FieldPath context = spec.get("securityContext");
    ids(context, List.of("runAsUser", "runAsGroup", "fsGroup"), faults);
    context.get("supplementalGroups").items().forEach(group -> id(group, faults));
    faults.notSupportedUnlessIn(context.get("fsGroupChangePolicy"), GROUP_CHANGES);
    faults.notSupportedUnlessIn(context.get("supplementalGroupsPolicy"), GROUP_POLICIES);
    if (spec.get("shareProcessNamespace").isTrue() && spec.get("hostPID").isTrue()) {
      faults.invalid(
          context.get("shareProcessNamespace"), "and hostPID cannot both be true in a pod");
    }
    faults.notSupportedUnlessIn(context.get("seLinuxChangePolicy"), LABEL_CHANGES);
    profiles(context, faults);
    WindowsRules.options(context.get("windowsOptions"), faults);
    sysctls(spec, faults);
  }

  static void container(FieldPath context, boolean hostUsers, FieldErrors faults) {
    if (!context.exists()) {
      return;
    }
    ids(context, List.of("runAsUser", "runAsGroup"), faults);
    FieldPath procMount = context.get("procMount");
    faults.notSupportedUnlessIn(procMount, PROC_MOUNTS);
    if (procMount.text().equals("Unmasked") && hostUsers) {
      faults.invalid(procMount, "Unmasked needs hostUsers: false on the pod");
    }
    profiles(context, faults);
    WindowsRules.options(context.get("windowsOptions"), faults);
    privileges(context, faults);
  }

  private static void privileges(FieldPath context, FieldErrors faults) {
    FieldPath escalation = context.get("allowPrivilegeEscalation");
    if (!escalation.exists() || escalation.isTrue()) {
      return;
    }
    if (context.get("privileged").isTrue()) {
      faults.invalid(context, "allowPrivilegeEscalation cannot be false when privileged is true");
    }
    boolean admin =
        context.get("capabilities", "add").items().stream()
            .anyMatch(capability -> capability.text().equals("CAP_SYS_ADMIN"));
    if (admin) {
      faults.invalid(
          context, "allowPrivilegeEscalation cannot be false when CAP_SYS_ADMIN is added");
    }
  }

  private static void ids(FieldPath context, List<String> members, FieldErrors faults) {
    members.forEach(member -> id(context.get(member), faults));
  }

  /** Checks a user or group ID. */
  static void id(FieldPath id, FieldErrors faults) {
    if (id.count() < 0 || id.count() > Integer.MAX_VALUE) {
      faults.invalid(id, id.count() + " must be from 0 to 2147483647");
    }
  }

  private static void profiles(FieldPath context, FieldErrors faults) {
    seccomp(context.get("seccompProfile"), faults);
    appArmor(context.get("appArmorProfile"), faults);
  }

  private static void seccomp(FieldPath profile, FieldErrors faults) {
    if (!profile.exists()) {
      return;
    }
    profileType(profile.get("type"), faults);
    boolean local = profile.get("type").text().equals("Localhost");
    FieldPath file = profile.get("localhostProfile");
    if (local && !file.exists()) {
      faults.required(file, "is required with type Localhost");
    } else if (!local && file.exists()) {
      faults.invalid(file, "is only allowed for type Localhost");
    } else if (!VolumeFileRules.staysBelow(file.text())) {
      faults.invalid(file, "must be a relative path without \"..\"");
    }
  }

  private static void appArmor(FieldPath profile, FieldErrors faults) {
    if (!profile.exists()) {
      return;
    }
    FieldPath type = profile.get("type");
    profileType(type, faults);
    FieldPath name = profile.get("localhostProfile");
    if (!type.text().equals("Localhost")) {
      if (PROFILES.contains(type.text()) && name.exists()) {
        faults.invalid(name, "is only allowed for type Localhost");
      }
    } else if (!name.exists() || name.isEmpty()) {
      faults.required(name, "is required with type Localhost");
    } else if (!name.text().strip().equals(name.text())) {
      faults.invalid(name, "must not start or end with spaces");
    } else if (name.text().length() > LONGEST_PROFILE) {
      faults.tooLong(name.path(), "has more than 4095 characters");
    }
  }

  private static void profileType(FieldPath type, FieldErrors faults) {
    if (type.isEmpty()) {
      faults.required(type, "is required: Localhost, RuntimeDefault or Unconfined");
    } else {
      faults.notSupportedUnlessIn(type, PROFILES);
    }
  }

  private static void sysctls(FieldPath spec, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    for (FieldPath sysctl : spec.get("securityContext", "sysctls").items()) {
      FieldPath name = sysctl.get("name");
      String dotted = name.text().replace('/', '.');
      if (name.isEmpty()) {
        faults.required(name, "is required");
      } else if (name.text().length() > LONGEST_SYSCTL || !name.text().matches(SYSCTL_NAME)) {
        faults.invalid(name, "must consist of lower case words with '.' or '/' between them");
      } else if (!names.add(name.text())) {
        faults.duplicate(name, "\"" + name.text() + "\" occurs twice");
      }
      if (spec.get("hostNetwork").isTrue() && dotted.startsWith("net.")) {
        faults.invalid(
            name, "belongs to the network, which the pod shares with the host (hostNetwork)");
      }
      if (spec.get("hostIPC").isTrue() && IPC_SYSCTL.matcher(dotted).lookingAt()) {
        faults.invalid(
            name, "belongs to the IPC namespace, which the pod shares with the host (hostIPC)");
      }
    }
  }
}
