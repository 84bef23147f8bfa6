package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.IpAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rules of the addresses of a service and of their families: those of a cluster with IPv4 alone.
 */
final class ServiceAddressRules {
  private static final int MOST = 2;

  private ServiceAddressRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    external(spec.get("externalIPs"), faults);
    if (ServiceRules.isType(spec, "ExternalName")) {
      withoutAddress(spec, faults);
      return;
    }
    if (addresses(spec, faults)) {
      families(spec, faults);
    }
  }

  private static void withoutAddress(FieldPath spec, FieldErrors faults) {
    String detail = "may not be set for ExternalName services";
    if (!spec.get("clusterIP").isEmpty() || !spec.get("clusterIPs").isEmpty()) {
      faults.forbidden(spec.get("clusterIPs"), detail);
    }
    for (String member : List.of("ipFamilies", "ipFamilyPolicy")) {
      if (!spec.get(member).isEmpty()) {
        faults.forbidden(spec.get(member), detail);
      }
    }
  }

  private static void external(FieldPath addresses, FieldErrors faults) {
    for (FieldPath address : addresses.items()) {
      IpAddress literal = IpAddress.parse(address.text());
      if (literal == null) {
        faults.invalidUnlessSound(address, Formats.ipAddress(address.text()));
      } else if (literal.isUnspecified()) {
        faults.invalid(address, "may not be unspecified (0.0.0.0 or ::)");
      } else if (literal.isLoopback()) {
        faults.invalid(address, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
      } else if (literal.isLinkLocalUnicast()) {
        faults.invalid(address, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
      } else if (literal.isLinkLocalMulticast()) {
        faults.invalid(
            address, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
      }
    }
  }

  /** Checks the addresses; true if each of them is one. */
  private static boolean addresses(FieldPath spec, FieldErrors faults) {
    FieldPath addresses = spec.get("clusterIPs");
    List<FieldPath> items = addresses.items();
    if (!items.isEmpty() && !items.getFirst().text().equals(spec.get("clusterIP").text())) {
      faults.invalid(addresses, "first value must match `clusterIP`");
    }
    boolean headless = !items.isEmpty() && items.getFirst().text().equals(ServiceDefaults.NONE);
    boolean sound = !headless || items.size() == 1;
    if (!sound) {
      faults.invalid(addresses, "'None' must be the first and only value");
    }
    for (FieldPath address : items.subList(headless ? 1 : 0, items.size())) {
      String complaint = Formats.ipAddress(address.text());
      faults.invalidUnlessSound(address, complaint);
      sound &= complaint == null;
    }
    if (items.size() > MOST) {
      faults.invalid(addresses, "may only hold up to 2 values");
    } else if (sound && items.size() == MOST && isSix(items.get(0)) == isSix(items.get(1))) {
      faults.invalid(addresses, "may specify no more than one IP for each IP family");
    }
    return sound;
  }

  private static void families(FieldPath spec, FieldErrors faults) {
    boolean free = ServiceRules.isHeadless(spec) && spec.get("selector").isEmpty();
    Set<String> seen = new HashSet<>();
    for (FieldPath family : spec.get("ipFamilies").items()) {
      if (!seen.add(family.text())) {
        faults.duplicate(family, "stands here twice");
      } else if (!free && family.text().equals("IPv6")) {
        faults.invalid(family, "not configured on this cluster");
      }
    }
    FieldPath policy = spec.get("ipFamilyPolicy");
    if (!free && policy.text().equals("RequireDualStack")) {
      faults.invalid(policy, "this cluster is not configured for dual-stack services");
    }
  }

  private static boolean isSix(FieldPath address) {
    return address.text().contains(":");
  }
}
