package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sysctls that touch more than the pod. */
class SysctlsCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'securityContext':{'sysctls':[{'name':'kernel.shm_rmid_forced','value':'1'},{'name':'net.ipv4.tcp_syncookies','value':'1'},{'name':'net.ipv4.tcp_rmem','value':'1'},{'name':'net.ipv4.tcp_keepalive_time','value':'1'},{'name':'net.ipv4.ip_local_reserved_ports','value':'1'}]}} |",
        "| {'securityContext':{'sysctls':[{'name':'net.core.somaxconn','value':'1'},{'name':'kernel.msgmax','value':'1'}]}} | forbidden sysctls (net.core.somaxconn, kernel.msgmax)",
        "v1.26 | {'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports','value':'1'}]}} | forbidden sysctls (net.ipv4.ip_local_reserved_ports)",
        "v1.27 | {'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports','value':'1'}]}} |",
        "v1.28 | {'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_fin_timeout','value':'1'}]}} | forbidden sysctls (net.ipv4.tcp_fin_timeout)",
        "v1.29 | {'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_fin_timeout','value':'1'},{'name':'net.ipv4.tcp_keepalive_intvl','value':'1'},{'name':'net.ipv4.tcp_keepalive_probes','value':'1'}]}} |",
        "v1.31 | {'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_wmem','value':'1'}]}} | forbidden sysctls (net.ipv4.tcp_wmem)",
        "v1.32 | {'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_wmem','value':'1'}]}} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(SysctlsCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
