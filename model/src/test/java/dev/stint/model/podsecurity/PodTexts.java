package dev.stint.model.podsecurity;

import dev.stint.model.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pods of tests, as JSON with single quotes. */
final class PodTexts {
  private PodTexts() {}

  /** Returns a pod with this specification. */
  static CheckedPod pod(String spec) {
    return pod("{}", spec);
  }

  /** Returns a pod with these annotations and this specification. */
  static CheckedPod pod(String annotations, String spec) {
    return CheckedPod.of(
        Json.parse(
            "{'metadata':{'annotations':%s},'spec':%s}"
                .formatted(annotations, spec)
                .replace('\'', '"')));
  }

  /**
   * Returns what a pod violates.
   *
   * @param version such as "v1.25"; null for the latest
   */
  static String violations(PodCheck check, @Nullable String version, CheckedPod pod) {
    PolicyVersion asked =
        version == null
            ? PolicyVersion.LATEST
            : Objects.requireNonNull(PolicyVersion.parse(version));
    PodCheck.Rule rule = check.at(asked);
    PolicyViolation violation = rule == null ? null : rule.check(pod);
    return violation == null ? "" : violation.toString();
  }
}
