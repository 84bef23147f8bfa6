package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of {@code resourceClaims}. */
final class ResourceClaimRules {
  private ResourceClaimRules() {}

  /** The names of all claims. */
  static Set<String> check(At claims, Faults faults) {
    Set<String> names = new HashSet<>();
    for (At claim : claims.items()) {
      name(claim.get("name"), names, faults);
      At existing = claim.get("resourceClaimName");
      At template = claim.get("resourceClaimTemplateName");
      if (existing.exists() == template.exists()) {
        faults.invalid(claim, "needs one of resourceClaimName and resourceClaimTemplateName");
      }
      for (At reference : List.of(existing, template)) {
        if (reference.exists()) {
          faults.invalidUnlessSound(reference, Formats.dnsSubdomain(reference.text()));
        }
      }
    }
    return names;
  }

  private static void name(At name, Set<String> names, Faults faults) {
    if (name.isEmpty()) {
      faults.required(name, "is needed");
    } else if (!names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" names another claim already");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
  }
}
