package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of {@code resourceClaims}. */
final class ResourceClaimRules {
  private ResourceClaimRules() {}

  /** Checks the claims, and returns the names of all of them. */
  static Set<String> check(FieldPath claims, FieldErrors faults) {
    Set<String> names = new HashSet<>();
    for (FieldPath claim : claims.items()) {
      name(claim.get("name"), names, faults);
      FieldPath existing = claim.get("resourceClaimName");
      FieldPath template = claim.get("resourceClaimTemplateName");
      if (existing.exists() == template.exists()) {
        faults.invalid(claim, "needs one of resourceClaimName and resourceClaimTemplateName");
      }
      for (FieldPath reference : List.of(existing, template)) {
        if (reference.exists()) {
          faults.invalidUnlessSound(reference, Formats.dnsSubdomain(reference.text()));
        }
      }
    }
    return names;
  }

  private static void name(FieldPath name, Set<String> names, FieldErrors faults) {
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else if (!names.add(name.text())) {
      faults.duplicate(name, "\"" + name.text() + "\" already names another claim");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
  }
}
