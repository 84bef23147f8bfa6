package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Privilege escalation. */
class PrivilegeEscalationCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','securityContext':{'allowPrivilegeEscalation':false}}]} |",
        "| {'containers':[{'name':'a'}]} | allowPrivilegeEscalation != false (container \"a\" must set securityContext.allowPrivilegeEscalation=false)",
        "v1.8 | {'containers':[{'name':'a','securityContext':{'allowPrivilegeEscalation':true}},{'name':'b','securityContext':{}}]} | allowPrivilegeEscalation != false (containers \"a\", \"b\" must set securityContext.allowPrivilegeEscalation=false)",
        "v1.7 | {'containers':[{'name':'a'}]} |",
        "v1.24 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} | allowPrivilegeEscalation != false (container \"a\" must set securityContext.allowPrivilegeEscalation=false)",
        "v1.25 | {'containers':[{'name':'a'}],'os':{'name':'windows'}} |",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(PrivilegeEscalationCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
