package dev.stint.model.support;

import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Set;

/** Warnings about service accounts, in Kubernetes' words. */
final class ServiceAccountWarnings {
  private static final String ENFORCE = "kubernetes.io/enforce-mountable-secrets";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  private ServiceAccountWarnings() {}

  static List<String> of(FieldPath account) {
    FieldPath enforce = account.get("metadata", "annotations").entry(ENFORCE);
    return TRUE.contains(enforce.text())
        ? List.of(
            enforce
                + ": deprecated in v1.32+; prefer separate namespaces to isolate access to mounted"
                + " secrets")
        : List.of();
  }
}
