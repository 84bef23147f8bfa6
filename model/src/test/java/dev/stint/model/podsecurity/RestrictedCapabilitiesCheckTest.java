package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Capabilities that the restricted level leaves. */
class RestrictedCapabilitiesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','securityContext':{'capabilities':{'drop':['ALL']}}},{'name':'b','securityContext':{'capabilities':{'drop':['X','ALL'],'add':['NET_BIND_SERVICE']}}}]} |",
        "| {'containers':[{'name':'a'}]} | unrestricted capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"])",
        "| {'containers':[{'name':'a','securityContext':{'capabilities':{'drop':['NET_RAW'],'add':['SYS_TIME','NET_ADMIN']}}}]} | unrestricted capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"]; container \"a\" must not include \"NET_ADMIN\", \"SYS_TIME\" in securityContext.capabilities.add)",
        "v1.22 | {'containers':[{'name':'a','securityContext':{'capabilities':{'drop':['ALL'],'add':['CHOWN']}}}]} | unrestricted capabilities (container \"a\" must not include \"CHOWN\" in securityContext.capabilities.add)",
        "v1.21 | {'containers':[{'name':'a'}]} |",
        "v1.24 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} | unrestricted capabilities (container \"a\" must set securityContext.capabilities.drop=[\"ALL\"])",
        "v1.25 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(RestrictedCapabilitiesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
