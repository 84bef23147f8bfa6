package dev.stint.model.pod;

import dev.stint.model.field.At;
import dev.stint.model.field.Faults;
import dev.stint.model.field.Formats;
import java.util.List;

/** Rules of {@code dnsPolicy} and {@code dnsConfig}. */
final class DnsRules {
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCHES = 32;
  private static final List<String> POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

  private DnsRules() {}

  static void check(At spec, Faults faults) {
    faults.notSupportedUnlessIn(spec.get("dnsPolicy"), POLICIES);
    At config = spec.get("dnsConfig");
    List<At> nameservers = config.get("nameservers").items();
    if (spec.get("dnsPolicy").text().equals("None")) {
      if (!config.exists()) {
        faults.required(config, "is needed with dnsPolicy None");
      } else if (nameservers.isEmpty()) {
        faults.required(config.get("nameservers"), "needs one server with dnsPolicy None");
      }
    }
    if (nameservers.size() > MAX_NAMESERVERS) {
      faults.invalid(config.get("nameservers"), "must have at most 3 servers");
    }
    nameservers.forEach(s -> faults.invalidUnlessSound(s, Formats.ipAddress(s.text())));
    if (config.get("searches").items().size() > MAX_SEARCHES) {
      faults.invalid(config.get("searches"), "must have at most 32 domains");
    }
    for (At option : config.get("options").items()) {
      if (option.get("name").isEmpty()) {
        faults.required(option, "needs a name");
      }
    }
  }
}
