package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masks of /proc, as the baseline level requires them. */
class BaselineProcMountCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a'},{'name':'b','securityContext':{'procMount':'Default'}}]} |",
        "| {'containers':[{'name':'d','securityContext':{'procMount':'Unmasked'}},{'name':'e','securityContext':{'procMount':'other'}}]} | procMount (containers \"d\", \"e\" must not set securityContext.procMount to \"Unmasked\", \"other\")",
        "v1.35 | {'containers':[{'name':'a','securityContext':{'procMount':'Unmasked'}}],'hostUsers':false} |",
        "v1.34 | {'containers':[{'name':'a','securityContext':{'procMount':'Unmasked'}}],'hostUsers':false} | procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
        "| {'containers':[{'name':'a','securityContext':{'procMount':'Unmasked'}}],'hostUsers':true} | procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(ProcMountCheck.BASELINE, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
