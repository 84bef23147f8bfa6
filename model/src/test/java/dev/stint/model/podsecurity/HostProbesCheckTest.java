package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hosts that probes and lifecycle handlers reach. */
class HostProbesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','livenessProbe':{'httpGet':{'port':80,'host':''}}}]} |",
        "| {'containers':[{'name':'a','livenessProbe':{'httpGet':{'port':80,'host':'127.0.0.1'}}}]} | probe or lifecycle host (container \"a\" uses probe or lifecycle host \"127.0.0.1\")",
        "v1.34 | {'containers':[{'name':'b','startupProbe':{'tcpSocket':{'host':'x'}}},{'name':'a','readinessProbe':{'tcpSocket':{'host':'y'}}}]} | probe or lifecycle host (containers \"a\", \"b\" use probe or lifecycle hosts \"x\", \"y\")",
        "| {'initContainers':[{'name':'a','lifecycle':{'postStart':{'tcpSocket':{'host':'x'}},'preStop':{'httpGet':{'host':'x'}}}}]} | probe or lifecycle host (container \"a\" uses probe or lifecycle host \"x\")",
        "v1.33 | {'containers':[{'name':'a','livenessProbe':{'httpGet':{'host':'x'}}}]} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(HostProbesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
