package dev.stint.model.pod;

import dev.stint.model.field.FieldPath;
import dev.stint.model.field.StrictFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Warnings about IPv6 addresses in a form that is not the recommended one. */
final class AddressWarnings {
  private AddressWarnings() {}

  static List<String> of(FieldPath spec) {
    List<String> warnings = new ArrayList<>();
    Stream.concat(
            spec.get("dnsConfig", "nameservers").items().stream(),
            spec.get("hostAliases").items().stream().map(alias -> alias.get("ip")))
        .forEach(address -> check(address, warnings));
    return warnings;
  }

  private static void check(FieldPath address, List<String> warnings) {
    String canonical = StrictFormats.ipv6(address.text());
    if (canonical != null && !canonical.equals(address.text())) {
      warnings.add(
          "%s: IPv6 address \"%s\" should be in RFC 5952 canonical format (\"%s\")"
              .formatted(address, address.text(), canonical));
    }
  }
}
