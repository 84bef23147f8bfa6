package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of the addresses of a service and of their families. */
final class ServiceAddressRules {
  private static final int MOST = 2;
  private static final List<String> SPECIAL = List.of("0.", "127.", "169.254.", "224.0.0.");

  private ServiceAddressRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    if (ServiceRules.isType(spec, "ExternalName")) {
      for (String member : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
        if (!spec.get(member).isEmpty()) {
          faults.forbidden(spec.get(member), "may not be set for ExternalName services");
        }
      }
      return;
    }
    addresses(spec, faults);
    families(spec.get("ipFamilies"), faults);
    for (FieldPath address : spec.get("externalIPs").items()) {
      faults.invalidUnlessSound(address, Formats.ipAddress(address.text()));
      if (SPECIAL.stream().anyMatch(address.text()::startsWith) || address.text().equals("::1")) {
        faults.invalid(address, "may not be an unspecified, loopback or link-local address");
      }
    }
  }

  private static void addresses(FieldPath spec, FieldErrors faults) {
    FieldPath addresses = spec.get("clusterIPs");
    List<FieldPath> items = addresses.items();
    if (!items.isEmpty() && !items.getFirst().text().equals(spec.get("clusterIP").text())) {
      faults.invalid(addresses, "first value must match `clusterIP`");
    }
    Set<String> seen = new HashSet<>();
    for (FieldPath address : items) {
      boolean none = address.text().equals(ServiceDefaults.NONE);
      if (none && items.size() > 1) {
        faults.invalid(address, "'None' must be the first and only value");
      } else if (!none) {
        faults.invalidUnlessSound(address, Formats.ipAddress(address.text()));
      }
      if (!seen.add(address.text())) {
        faults.duplicate(address, "stands here twice");
      }
    }
    if (items.size() > MOST) {
      faults.invalid(addresses, "may only hold up to 2 values");
    }
  }

  private static void families(FieldPath families, FieldErrors faults) {
    Set<String> seen = new HashSet<>();
    for (FieldPath family : families.items()) {
      if (!seen.add(family.text())) {
        faults.duplicate(family, "stands here twice");
      }
    }
  }
}
