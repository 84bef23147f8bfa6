package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Masks of /proc, as the restricted level requires them. */
class RestrictedProcMountCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1.34 | {'containers':[{'name':'a','securityContext':{'procMount':'Unmasked'}}]} |",
        "v1.35 | {'containers':[{'name':'a','securityContext':{'procMount':'Unmasked'}}],'hostUsers':false} | procMount (container \"a\" must not set securityContext.procMount to \"Unmasked\")",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(ProcMountCheck.RESTRICTED, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
