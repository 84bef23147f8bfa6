package dev.stint.model.podsecurity;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A violation of one check.
 *
 * @param reason what is forbidden, such as "host namespaces"
 * @param detail which fields of the pod violate the check; may be empty
 */
public record PolicyViolation(String reason, String detail) {
  /** Returns all reasons with their details, in Kubernetes' words. */
  public static String detailed(List<PolicyViolation> violations) {
    return violations.stream().map(PolicyViolation::toString).collect(Collectors.joining(", "));
  }

  /** Returns all reasons, in Kubernetes' words. */
  public static String reasons(List<PolicyViolation> violations) {
    return violations.stream().map(PolicyViolation::reason).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }
}
