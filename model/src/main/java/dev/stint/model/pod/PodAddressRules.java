package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of the addresses in a pod's status: its own and its node's, one for each IP family. */
final class PodAddressRules {
  private static final int FAMILIES = 2;

  private PodAddressRules() {}

  static void check(FieldPath status, FieldErrors faults) {
    addresses(status.get("podIPs"), faults);
    FieldPath hostIps = status.get("hostIPs");
    if (!hostIps.isEmpty()) {
      FieldPath first = hostIps.items().getFirst().get("ip");
      if (!first.text().equals(status.get("hostIP").text())) {
        faults.invalid(first, "must be equal to `hostIP`");
      }
      addresses(hostIps, faults);
    }
  }

  private static void addresses(FieldPath addresses, FieldErrors faults) {
    List<String> ips = addresses.items().stream().map(address -> address.get("ip").text()).toList();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < ips.size(); i++) {
      FieldPath address = addresses.items().get(i);
      faults.invalidUnlessSound(address, Formats.ipAddress(ips.get(i)));
      if (!seen.add(ips.get(i))) {
        faults.duplicate(address, "\"" + ips.get(i) + "\" occurs twice");
      }
    }
    if (ips.size() > 1) {
      families(addresses, ips, faults);
    }
  }

  private static void families(FieldPath addresses, List<String> ips, FieldErrors faults) {
    boolean sound = ips.stream().allMatch(ip -> Formats.ipAddress(ip) == null);
    if (!sound) {
      faults.internal(addresses, "failed to check for dual stack: an address is not an IP address");
    }
    boolean both =
        sound
            && ips.stream().anyMatch(ip -> ip.contains(":"))
            && ips.stream().anyMatch(ip -> !ip.contains(":"));
    if (!both || ips.size() > FAMILIES) {
      faults.invalid(addresses, "may specify no more than one IP for each IP family");
    }
  }
}
