package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of what a pod's status says of its resource claims. */
final class ResourceClaimStatusRules {
  private ResourceClaimStatusRules() {}

  static void check(At status, At spec, Faults faults) {
    Set<String> claims =
        spec.get("resourceClaims").items().stream()
            .map(claim -> claim.get("name").text())
            .collect(Collectors.toSet());
    Set<String> seen = new HashSet<>();
    for (At claim : status.get("resourceClaimStatuses").items()) {
      At name = claim.get("name");
      if (!claims.contains(name.text())) {
        faults.invalid(name, "must match the name of an entry in `spec.resourceClaims`");
      }
      if (!seen.add(name.text())) {
        faults.duplicate(name, "\"" + name.text() + "\" names another claim already");
      }
      name(claim.get("resourceClaimName"), faults);
    }
    extended(status.get("extendedResourceClaimStatus"), faults);
  }

  private static void extended(At claim, Faults faults) {
    if (!claim.exists()) {
      return;
    }
    for (String member : List.of("requestMappings", "resourceClaimName")) {
      if (claim.get(member).isEmpty()) {
        faults.required(claim.get(member), "is needed");
      }
    }
    if (!claim.get("resourceClaimName").isEmpty()) {
      name(claim.get("resourceClaimName"), faults);
    }
  }

  private static void name(At name, Faults faults) {
    if (name.exists()) {
      faults.invalidUnlessSound(name, Formats.dnsSubdomain(name.text()));
    }
  }
}
