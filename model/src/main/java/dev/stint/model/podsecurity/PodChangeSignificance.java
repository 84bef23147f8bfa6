package dev.stint.model.podsecurity;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Decides whether a change of a pod matters to pod security. Others are allowed, even if the pod
 * violates a level that was set after its creation: its controller must be able to let it go.
 */
public final class PodChangeSignificance {
  private static final Set<String> INSIGNIFICANT = Set.of("activeDeadlineSeconds", "tolerations");
  private static final List<String> SIGNIFICANT_ANNOTATIONS =
      List.of(
          "seccomp.security.alpha.kubernetes.io/pod",
          "container.seccomp.security.alpha.kubernetes.io/",
          "container.apparmor.security.beta.kubernetes.io/");

  private PodChangeSignificance() {}

  /** True if a change matters: it must meet the namespace's level. */
  public static boolean isSignificant(CheckedPod before, CheckedPod after) {
    return differ(before.spec(), after.spec(), member -> !INSIGNIFICANT.contains(member))
        || differ(
            before.annotations(), after.annotations(), PodChangeSignificance::isAboutSecurity);
  }

  /** True if objects differ in certain members. Most changes share what they do not touch. */
  private static boolean differ(FieldPath before, FieldPath after, Predicate<String> which) {
    return before.node() != after.node() && !members(before, which).equals(members(after, which));
  }

  private static Map<String, JsonNode> members(FieldPath object, Predicate<String> which) {
    return object.entries().stream()
        .filter(member -> which.test(member.key()) && member.exists())
        .collect(Collectors.toMap(FieldPath::key, FieldPath::node));
  }

  private static boolean isAboutSecurity(String annotation) {
    return SIGNIFICANT_ANNOTATIONS.stream().anyMatch(annotation::startsWith);
  }
}
