package dev.stint.model.podsecurity;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The decision about a pod or about the pod template of another object.
 *
 * @param refusal why the pod is refused, in Kubernetes' words; empty if it is not
 * @param warnings for the user
 * @param annotations for the audit log
 */
public record PodSecurityDecision(
    String refusal, List<String> warnings, Map<String, String> annotations) {
  /** The decision that nothing is wrong. */
  public static final PodSecurityDecision ALLOWED =
      new PodSecurityDecision("", List.of(), Map.of());

  private static final String VIOLATES = "violates PodSecurity \"%s\": %s";
  private static final String WOULD_VIOLATE = "would violate PodSecurity \"%s\": %s";

  /** A request that creates or changes a pod or a pod template. */
  public record Request(String user, String namespace, CheckedPod pod) {}

  /** Decides about a pod: it may be refused. */
  public static PodSecurityDecision ofPod(
      Request request, NamespacePolicy policy, PodSecuritySettings settings) {
    return of(request, policy, settings, true);
  }

  /** Decides about a pod template: its pods may be refused, but it is not. */
  public static PodSecurityDecision ofTemplate(
      Request request, NamespacePolicy policy, PodSecuritySettings settings) {
    return of(request, policy, settings, false);
  }

  private static PodSecurityDecision of(
      Request request, NamespacePolicy policy, PodSecuritySettings settings, boolean enforced) {
    if (policy.allowsAll()) {
      return ALLOWED;
    }
    String exemption = settings.exemption(request.user(), request.namespace(), request.pod());
    if (!exemption.isEmpty()) {
      return new PodSecurityDecision("", List.of(), Map.of(annotation("exempt"), exemption));
    }
    Map<String, String> annotations = new LinkedHashMap<>();
    String refusal = "";
    if (enforced) {
      annotations.put(annotation("enforce-policy"), policy.enforce().toString());
      refusal = text(VIOLATES, request.pod(), policy.enforce());
    }
    String audit = text(WOULD_VIOLATE, request.pod(), policy.audit());
    if (!audit.isEmpty()) {
      annotations.put(annotation("audit-violations"), audit);
    }
    String warning = refusal.isEmpty() ? text(WOULD_VIOLATE, request.pod(), policy.warn()) : "";
    return new PodSecurityDecision(
        refusal, warning.isEmpty() ? List.of() : List.of(warning), Map.copyOf(annotations));
  }

  private static String annotation(String name) {
    return PodSecurityLabels.PREFIX + name;
  }

  private static String text(String form, CheckedPod pod, LevelVersion policy) {
    List<PolicyViolation> violations = PodSecurityStandards.violations(pod, policy);
    return violations.isEmpty() ? "" : form.formatted(policy, PolicyViolation.detailed(violations));
  }
}
