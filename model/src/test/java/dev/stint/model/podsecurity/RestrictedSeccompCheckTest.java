package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seccomp profiles, as the restricted level requires them. */
class RestrictedSeccompCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a'}],'securityContext':{'seccompProfile':{'type':'RuntimeDefault'}}} |",
        "| {'containers':[{'name':'a','securityContext':{'seccompProfile':{'type':'Localhost'}}}]} |",
        "| {'containers':[{'name':'a'}]} | seccompProfile (pod or container \"a\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")",
        "v1.19 | {'containers':[{'name':'a'},{'name':'b','securityContext':{'seccompProfile':{'type':'RuntimeDefault'}}},{'name':'c','securityContext':{}}]} | seccompProfile (pod or containers \"a\", \"c\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")",
        "| {'containers':[{'name':'a','securityContext':{'seccompProfile':{'type':'RuntimeDefault'}}}],'securityContext':{'seccompProfile':{'type':'Unconfined'}}} | seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "| {'containers':[{'name':'a','securityContext':{'seccompProfile':{'type':'Unconfined'}}},{'name':'b'}]} | seccompProfile (container \"a\" must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "v1.18 | {'containers':[{'name':'a'}]} |",
        "v1.24 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} | seccompProfile (pod or container \"a\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")",
        "v1.25 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(RestrictedSeccompCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
