package dev.stint.model.kept;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;

/** Rules of the addresses at which a load balancer takes requests, as a status says them. */
final class LoadBalancerRules {
  private static final List<String> MODES = List.of("Proxy", "VIP");

  private LoadBalancerRules() {}

  /** Checks one address or host name. */
  static void ingress(FieldPath ingress, FieldErrors faults) {
    FieldPath address = ingress.get("ip");
    if (!address.isEmpty()) {
      faults.invalidUnlessSound(address, Formats.ipAddress(address.text()));
    }
    FieldPath host = ingress.get("hostname");
    if (!host.isEmpty()) {
      faults.invalidUnlessSound(host, Formats.dnsSubdomain(host.text()));
      if (Formats.ipAddress(host.text()) == null) {
        faults.invalid(host, "must be a DNS name, not an IP address");
      }
    }
  }

  /** Checks the status of a service. */
  static void ofService(FieldPath root, FieldErrors faults) {
    FieldPath list = root.get("status", "loadBalancer", "ingress");
    if (!list.isEmpty() && !ServiceRules.isType(root.get("spec"), "LoadBalancer")) {
      faults.forbidden(list, "may only be used when `spec.type` is LoadBalancer");
      return;
    }
    for (FieldPath ingress : list.items()) {
      ingress(ingress, faults);
      mode(ingress, faults);
    }
  }

  private static void mode(FieldPath ingress, FieldErrors faults) {
    FieldPath mode = ingress.get("ipMode");
    faults.notSupportedUnlessIn(mode, MODES);
    if (mode.exists() && ingress.get("ip").isEmpty()) {
      faults.forbidden(mode, "may not be specified when `ip` is not set");
    }
  }
}
