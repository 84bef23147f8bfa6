package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of the resource claims in a pod's status. */
final class ResourceClaimStatusRules {
  private ResourceClaimStatusRules() {}

  static void check(FieldPath status, FieldPath spec, FieldErrors faults) {
    List<FieldPath> statuses = status.get("resourceClaimStatuses").items();
    if (!statuses.isEmpty()) {
      statuses(statuses, spec, faults);
    }
    extended(status.get("extendedResourceClaimStatus"), faults);
  }

  private static void statuses(List<FieldPath> statuses, FieldPath spec, FieldErrors faults) {
    Set<String> claims =
        spec.get("resourceClaims").items().stream()
            .map(claim -> claim.get("name").text())
            .collect(Collectors.toSet());
    Set<String> seen = new HashSet<>();
    for (FieldPath status : statuses) {
      FieldPath name = status.get("name");
      if (!claims.contains(name.text())) {
        faults.invalid(name, "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name.text())) {
        faults.duplicate(name, "\"" + name.text() + "\" already names another claim");
      }
      name(status.get("resourceClaimName"), faults);
    }
  }

  private static void extended(FieldPath claim, FieldErrors faults) {
    if (!claim.exists()) {
      return;
    }
    for (String member : List.of("requestMappings", "resourceClaimName")) {
      if (claim.get(member).isEmpty()) {
        faults.required(claim.get(member), "is required");
      }
    }
    if (!claim.get("resourceClaimName").isEmpty()) {
      name(claim.get("resourceClaimName"), faults);
    }
  }

  private static void name(FieldPath name, FieldErrors faults) {
    if (name.exists()) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
  }
}
