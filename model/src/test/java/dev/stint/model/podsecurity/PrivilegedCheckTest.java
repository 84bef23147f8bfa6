package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Privileged containers. */
class PrivilegedCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a'},{'name':'b','securityContext':{'privileged':false}}]} |",
        "| {'containers':[{'name':'a','securityContext':{'privileged':true}}]} | privileged (container \"a\" must not set securityContext.privileged=true)",
        "v1.0 | {'containers':[{'name':'a','securityContext':{'privileged':true}},{'name':'b','securityContext':{'privileged':true}}]} | privileged (containers \"a\", \"b\" must not set securityContext.privileged=true)",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(PrivilegedCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
