package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods that ask to run as root. */
class RunAsUserCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a'}],'securityContext':{'runAsUser':1}} |",
        "| {'containers':[{'name':'a'}],'securityContext':{'runAsUser':0}} | runAsUser=0 (pod must not set runAsUser=0)",
        "v1.23 | {'containers':[{'name':'a','securityContext':{'runAsUser':0}},{'name':'b','securityContext':{'runAsUser':0}}],'securityContext':{'runAsUser':0}} | runAsUser=0 (pod and containers \"a\", \"b\" must not set runAsUser=0)",
        "v1.22 | {'containers':[{'name':'a','securityContext':{'runAsUser':0}}],'securityContext':{'runAsUser':0}} |",
        "v1.34 | {'containers':[{'name':'a'}],'securityContext':{'runAsUser':0},'hostUsers':false} | runAsUser=0 (pod must not set runAsUser=0)",
        "v1.35 | {'containers':[{'name':'a'}],'securityContext':{'runAsUser':0},'hostUsers':false} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(RunAsUserCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
