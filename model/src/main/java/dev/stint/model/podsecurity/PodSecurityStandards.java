package dev.stint.model.podsecurity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Pod Security Standards (Kubernetes documentation, "Pod Security Standards"): decides which of
 * their checks a pod violates.
 */
public final class PodSecurityStandards {
  private static final List<PodCheck> CHECKS =
      Stream.of(
              AppArmorCheck.CHECK,
              BaselineCapabilitiesCheck.CHECK,
              BaselineSeccompCheck.CHECK,
              HostNamespacesCheck.CHECK,
              HostPathVolumesCheck.CHECK,
              HostPortsCheck.CHECK,
              HostProbesCheck.CHECK,
              PrivilegedCheck.CHECK,
              ProcMountCheck.BASELINE,
              SeLinuxOptionsCheck.CHECK,
              SysctlsCheck.CHECK,
              WindowsHostProcessCheck.CHECK,
              PrivilegeEscalationCheck.CHECK,
              ProcMountCheck.RESTRICTED,
              RestrictedCapabilitiesCheck.CHECK,
              RestrictedSeccompCheck.CHECK,
              RestrictedVolumesCheck.CHECK,
              RunAsNonRootCheck.CHECK,
              RunAsUserCheck.CHECK)
          .sorted(Comparator.comparing(PodCheck::level).thenComparing(PodCheck::id))
          .toList();

  /** The version after which nothing has changed; later ones share its rules. */
  private static final int NEWEST =
      CHECKS.stream()
          .flatMap(check -> check.revisions().stream())
          .mapToInt(PodCheck.Revision::since)
          .max()
          .orElseThrow();

  private static final Map<LevelVersion, List<PodCheck.Rule>> RULES = new ConcurrentHashMap<>();

  private PodSecurityStandards() {}

  /** Returns what a pod violates, in the order in which Kubernetes reports it. */
  public static List<PolicyViolation> violations(CheckedPod pod, LevelVersion policy) {
    PolicyVersion version = new PolicyVersion(Math.min(policy.version().minor(), NEWEST));
    LevelVersion known = new LevelVersion(policy.level(), version);
    return RULES.computeIfAbsent(known, PodSecurityStandards::rules).stream()
        .map(rule -> rule.check(pod))
        .filter(Objects::nonNull)
        .toList();
  }

  private static List<PodCheck.Rule> rules(LevelVersion policy) {
    List<PodCheck> applying =
        CHECKS.stream()
            .filter(check -> check.level().compareTo(policy.level()) <= 0)
            .filter(check -> check.at(policy.version()) != null)
            .toList();
    Set<String> replaced = applying.stream().map(PodCheck::replaces).collect(Collectors.toSet());
    List<PodCheck.Rule> rules = new ArrayList<>();
    for (PodCheck check : applying) {
      if (!replaced.contains(check.id())) {
        rules.add(Objects.requireNonNull(check.at(policy.version())));
      }
    }
    return List.copyOf(rules);
  }
}
