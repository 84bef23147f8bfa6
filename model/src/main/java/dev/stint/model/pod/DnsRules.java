package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.field.MessagePhrases;
import java.util.List;
import java.util.regex.Pattern;

/** Rules of {@code dnsPolicy} and {@code dnsConfig}. */
final class DnsRules {
  private static final int MAX_NAMESERVERS = 3;
  private static final int MAX_SEARCHES = 32;
  private static final int LONGEST_SEARCHES = 2048;
  private static final int LONGEST_DOMAIN = 253;
  private static final String LABEL = "[_a-z0-9](?:[-_a-z0-9]*[a-z0-9])?";
  private static final Pattern DOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
  private static final List<String> POLICIES =
      List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

  private DnsRules() {}

  static void check(FieldPath spec, FieldErrors faults) {
    faults.notSupportedUnlessIn(spec.get("dnsPolicy"), POLICIES);
    FieldPath config = spec.get("dnsConfig");
    List<FieldPath> nameservers = config.get("nameservers").items();
    if (spec.get("dnsPolicy").text().equals("None") && nameservers.isEmpty()) {
      faults.required(
          config.exists() ? config.get("nameservers") : config,
          "needs one server with dnsPolicy None");
      return;
    }
    if (nameservers.size() > MAX_NAMESERVERS) {
      faults.invalid(config.get("nameservers"), "must have at most 3 servers");
    }
    nameservers.forEach(s -> faults.invalidUnlessSound(s, Formats.ipAddress(s.text())));
    searches(config.get("searches"), faults);
    for (FieldPath option : config.get("options").items()) {
      if (option.get("name").isEmpty()) {
        faults.required(option, "needs a name");
      }
    }
  }

  private static void searches(FieldPath searches, FieldErrors faults) {
    List<FieldPath> domains = searches.items();
    if (domains.size() > MAX_SEARCHES) {
      faults.invalid(searches, "must have at most 32 domains");
    }
    int length = domains.stream().mapToInt(domain -> domain.text().length() + 1).sum() - 1;
    if (length > LONGEST_SEARCHES) {
      faults.invalid(searches, "must have at most 2048 characters in total");
    }
    for (FieldPath domain : domains) {
      String text = domain.text();
      String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
      if (!text.equals(".")
          && !(name.length() <= LONGEST_DOMAIN && DOMAIN.matcher(name).matches())) {
        faults.invalid(
            domain, MessagePhrases.quoted(text) + " must be a domain, such as example.com");
      }
    }
  }
}
