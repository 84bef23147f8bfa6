package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.regex.Pattern;

/** Rules of {@code windowsOptions}, and of pods with host process containers. */
final class WindowsRules {
  private static final int LONGEST_SPEC = 64 << 10;
  private static final int LONGEST_DOMAIN = 255;
  private static final int LONGEST_USER = 104;
  private static final Pattern DOMAIN =
      Pattern.compile(
          "[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}" + "|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?");
  private static final Pattern USER = Pattern.compile("[^\"/\\\\:;|=,+*?<>@\\[\\]]+");

  private WindowsRules() {}

  static void options(FieldPath options, FieldErrors faults) {
    FieldPath name = options.get("gmsaCredentialSpecName");
    if (name.exists()) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
    FieldPath spec = options.get("gmsaCredentialSpec");
    if (spec.exists() && (spec.isEmpty() || spec.text().length() > LONGEST_SPEC)) {
      faults.invalid(spec, "must have 1 to 65536 characters");
    }
    FieldPath user = options.get("runAsUserName");
    if (user.exists() && !isUser(user.text())) {
      faults.invalid(user, "must be a user, or a domain and a user with '\\' between them");
    }
  }

  /** Checks host processes: they need the host's network, and all containers must agree. */
  static void hostProcesses(FieldPath spec, FieldErrors faults) {
    FieldPath podWide = own(spec);
    for (FieldPath container : containers(spec)) {
      FieldPath own = own(container);
      if (podWide.exists() && own.exists() && podWide.isTrue() != own.isTrue()) {
        faults.invalid(own, "must be the same as the pod's own");
      }
    }
    if (!hasHostProcesses(spec)) {
      return;
    }
    if (!containers(spec).stream().allMatch(container -> isHostProcess(container, podWide))) {
      faults.invalid(spec.path(), "hostProcess must be true for all containers, or for none");
    }
    if (!spec.get("hostNetwork").isTrue()) {
      faults.invalid(spec.get("hostNetwork"), "must be true with hostProcess");
    }
  }

  /** True if some container is a host process. */
  static boolean hasHostProcesses(FieldPath spec) {
    FieldPath podWide = own(spec);
    return containers(spec).stream().anyMatch(container -> isHostProcess(container, podWide));
  }

  private static boolean isHostProcess(FieldPath container, FieldPath podWide) {
    FieldPath own = own(container);
    return (own.exists() ? own : podWide).isTrue();
  }

  /** Returns the own {@code hostProcess} of a container or a pod. */
  private static FieldPath own(FieldPath holder) {
    return holder.get("securityContext", "windowsOptions", "hostProcess");
  }

  private static List<FieldPath> containers(FieldPath spec) {
    return PodDefaults.CONTAINER_LISTS.stream()
        .flatMap(list -> spec.get(list).items().stream())
        .toList();
  }

  private static boolean isUser(String text) {
    String[] parts = text.split("\\\\", -1);
    String user = parts[parts.length - 1].strip();
    boolean domain =
        parts.length == 1
            || parts.length == 2
                && parts[0].length() <= LONGEST_DOMAIN
                && DOMAIN.matcher(parts[0]).matches();
    return domain
        && text.chars().noneMatch(Character::isISOControl)
        && user.length() <= LONGEST_USER
        && user.chars().anyMatch(c -> c != '.' && c != ' ')
        && USER.matcher(user).matches();
  }
}
