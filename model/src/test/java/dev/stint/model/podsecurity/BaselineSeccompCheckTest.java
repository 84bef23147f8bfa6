package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seccomp profiles, as the baseline level requires them. */
class BaselineSeccompCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {} | {'containers':[{'name':'a'}]} |",
        "| {} | {'containers':[{'name':'a','securityContext':{'seccompProfile':{'type':'Localhost'}}}],'securityContext':{'seccompProfile':{'type':'RuntimeDefault'}}} |",
        "| {} | {'containers':[{'name':'a'}],'securityContext':{'seccompProfile':{'type':'Unconfined'}}} | seccompProfile (pod must not set securityContext.seccompProfile.type to \"Unconfined\")",
        "v1.19 | {} | {'containers':[{'name':'a','securityContext':{'seccompProfile':{'type':'x'}}},{'name':'b','securityContext':{'seccompProfile':{'type':'Unconfined'}}}],'securityContext':{'seccompProfile':{'type':'Unconfined'}}} | seccompProfile (pod and containers \"a\", \"b\" must not set securityContext.seccompProfile.type to \"Unconfined\", \"x\")",
        "v1.18 | {} | {'containers':[{'name':'a'}],'securityContext':{'seccompProfile':{'type':'Unconfined'}}} |",
        "v1.19 | {'seccomp.security.alpha.kubernetes.io/pod':'unconfined'} | {'containers':[{'name':'a'}]} |",
        "v1.18 | {'seccomp.security.alpha.kubernetes.io/pod':'unconfined'} | {'containers':[{'name':'a'}]} | seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")",
        "v1.18 | {'container.seccomp.security.alpha.kubernetes.io/b':'unconfined','container.seccomp.security.alpha.kubernetes.io/a':'x','container.seccomp.security.alpha.kubernetes.io/c':'unconfined'} | {'containers':[{'name':'b'},{'name':'a'}]} | seccompProfile (forbidden annotations container.seccomp.security.alpha.kubernetes.io/a=\"x\", container.seccomp.security.alpha.kubernetes.io/b=\"unconfined\")",
        "v1.18 | {'seccomp.security.alpha.kubernetes.io/pod':'runtime/default','container.seccomp.security.alpha.kubernetes.io/a':'docker/default','container.seccomp.security.alpha.kubernetes.io/b':'localhost/x'} | {'containers':[{'name':'a'},{'name':'b'}]} |",
      })
  void check(@Nullable String version, String annotations, String spec, @Nullable String expected) {
    assertThat(
            PodTexts.violations(
                BaselineSeccompCheck.CHECK, version, PodTexts.pod(annotations, spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
