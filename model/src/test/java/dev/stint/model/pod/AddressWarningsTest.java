package dev.stint.model.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AddressWarningsTest {
  @Test
  void ipv6HasOneRecommendedForm() {
    assertThat(
            PodTemplates.warnings(
                "dnsConfig: {nameservers: [1.2.3.4, '2001:db8:0:0::2']}",
                "hostAliases: [{ip: '::1'}, {ip: 'FD00::1'}]"))
        .containsExactly(
            "spec.dnsConfig.nameservers[1]: IPv6 address \"2001:db8:0:0::2\" should be in RFC 5952"
                + " canonical format (\"2001:db8::2\")",
            "spec.hostAliases[1].ip: IPv6 address \"FD00::1\" should be in RFC 5952 canonical"
                + " format (\"fd00::1\")");
  }
}
