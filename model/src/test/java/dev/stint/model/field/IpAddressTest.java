package dev.stint.model.field;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1",
    "255.255.255.255, 255.255.255.255",
    "::, ::",
    "::1, ::1",
    "FE80::1, fe80::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "1::, 1::",
    "::ffff:10.0.0.1, ::ffff:a00:1",
  })
  void anAddressIsToldInItsCanonicalForm(String text, String canonical) {
    assertThat(address(text)).hasToString(canonical).isEqualTo(address(canonical));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0", "10.0.0.256", "1:2", ":::", "fe80::1%eth0", "example.com"})
  void othersAreNone(String text) {
    assertThat(IpAddress.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, unspecified",
    "::, unspecified",
    "127.1.2.3, loopback",
    "::1, loopback",
    "169.254.0.9, link-local",
    "fe80::1, link-local",
    "febf::1, link-local",
    "fec0::1, global",
    "224.0.0.251, link-local multicast",
    "224.0.1.0, multicast",
    "239.1.1.1, multicast",
    "ff02::1, link-local multicast",
    "ff05::1, multicast",
    "255.255.255.255, none",
    "10.0.0.1, global",
    "2001:db8::1, global",
  })
  void eachAddressIsOfOneSort(String text, String sort) {
    assertThat(sort(address(text))).isEqualTo(sort);
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.2.3, 8, 10.0.0.0",
    "10.1.2.3, 32, 10.1.2.3",
    "10.1.2.3, 0, 0.0.0.0",
    "10.1.255.3, 20, 10.1.240.0",
    "2001:db8::ff, 124, 2001:db8::f0",
  })
  void bitsBehindAPrefixAreRemoved(String text, int prefix, String masked) {
    assertThat(address(text).masked(prefix)).hasToString(masked);
  }

  private static IpAddress address(String text) {
    return requireNonNull(IpAddress.parse(text));
  }

  private static String sort(IpAddress address) {
    if (address.isUnspecified()) {
      return "unspecified";
    } else if (address.isLoopback()) {
      return "loopback";
    } else if (address.isLinkLocalUnicast()) {
      return "link-local";
    } else if (address.isLinkLocalMulticast()) {
      return "link-local multicast";
    } else if (address.isMulticast()) {
      return "multicast";
    }
    return address.isGlobalUnicast() ? "global" : "none";
  }
}
