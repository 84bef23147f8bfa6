package dev.stint.model.podsecurity;

import dev.stint.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Warnings for a user who labels a namespace for pod security, in Kubernetes' words. */
public final class NamespaceWarnings {
  /** The maximum number of pods that one request checks. */
  private static final int MOST_PODS = 3000;

  private NamespaceWarnings() {}

  /**
   * Returns the warnings.
   *
   * @param before null if the namespace is new
   * @param pods the pods of the namespace, which are read only if its level becomes stricter; each
   *     of the first ones once, and no others
   */
  public static List<String> of(
      @Nullable KubeObject before,
      KubeObject after,
      Supplier<List<KubeObject>> pods,
      PodSecuritySettings settings) {
    NamespacePolicy policy = NamespacePolicy.of(after::label, settings.defaults());
    NamespacePolicy old =
        before == null ? null : NamespacePolicy.of(before::label, settings.defaults());
    if (settings.exemptNamespaces().contains(after.name())) {
      String asked = policy.labelled(after::label);
      return asked.isEmpty() || policy.equals(old) ? List.of() : List.of(exempt(after, asked));
    }
    return old == null || policy.enforce().isNoStricterThan(old.enforce())
        ? List.of()
        : ofPods(after.name(), policy.enforce(), pods.get(), settings);
  }

  private static String exempt(KubeObject namespace, String asked) {
    return "namespace \"%s\" is exempt from Pod Security, and the policy (%s) will be ignored"
        .formatted(namespace.name(), asked);
  }

  private static List<String> ofPods(
      String namespace,
      LevelVersion enforced,
      List<KubeObject> pods,
      PodSecuritySettings settings) {
    Map<String, TreeSet<String>> podsByReasons = new TreeMap<>();
    int checked = Math.min(pods.size(), MOST_PODS);
    for (KubeObject object : pods.subList(0, checked)) {
      CheckedPod pod = CheckedPod.of(object.tree());
      String runtimeClass = pod.spec().get("runtimeClassName").text();
      String reasons =
          settings.exemptRuntimeClasses().contains(runtimeClass)
              ? ""
              : PolicyViolation.reasons(PodSecurityStandards.violations(pod, enforced));
      if (!reasons.isEmpty()) {
        podsByReasons.computeIfAbsent(reasons, _ -> new TreeSet<>()).add(object.name());
      }
    }
    List<String> warnings = new ArrayList<>();
    if (checked < pods.size()) {
      warnings.add(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(checked, pods.size()));
    }
    if (!podsByReasons.isEmpty()) {
      warnings.add(
          "existing pods in namespace \"%s\" violate the new PodSecurity enforce level \"%s\""
              .formatted(namespace, enforced));
    }
    podsByReasons.entrySet().stream()
        .map(entry -> named(entry.getValue()) + ": " + entry.getKey())
        .sorted()
        .forEach(warnings::add);
    return warnings;
  }

  /** Returns {@code a (and 2 other pods)}. */
  private static String named(TreeSet<String> pods) {
    int others = pods.size() - 1;
    return switch (others) {
      case 0 -> pods.first();
      case 1 -> pods.first() + " (and 1 other pod)";
      default -> pods.first() + " (and " + others + " other pods)";
    };
  }
}
