package dev.stint.apiserver.access.pki;

import dev.stint.model.field.Formats;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The names and addresses by which clients reach the API, as certificates list them. */
final class HostNames {
  private static final List<String> LOCAL = List.of("localhost", "127.0.0.1", "::1");

  private HostNames() {}

  /**
   * Returns this machine's own names and the given ones, each once and normalized.
   *
   * @throws IllegalArgumentException for a text that is neither a host's name nor an address
   */
  static Set<String> all(Collection<String> given) {
    Set<String> names = new LinkedHashSet<>();
    LOCAL.forEach(name -> names.add(normal(name)));
    given.forEach(name -> names.add(normal(name)));
    return names;
  }

  /** Returns the names and addresses of a certificate. */
  static Set<String> of(X509Certificate certificate) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? Set.of()
          : names.stream()
              .map(name -> normal(String.valueOf(name.get(1))))
              .collect(Collectors.toSet());
    } catch (CertificateParsingException | IllegalArgumentException unreadable) {
      return Set.of();
    }
  }

  static boolean isAddress(String name) {
    return Formats.ipAddress(name) == null;
  }

  private static String normal(String name) {
    String bare =
        name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    if (isAddress(bare)) {
      return InetAddress.ofLiteral(bare).getHostAddress();
    }
    String lower = bare.toLowerCase(Locale.ROOT);
    if (!Formats.isDnsSubdomain(lower)) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is neither a host name nor an IP address");
    }
    return lower;
  }
}
