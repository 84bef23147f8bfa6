package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes of the host. */
class HostPathVolumesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'volumes':[{'name':'a','emptyDir':{}}]} |",
        "| {'volumes':[{'name':'a','hostPath':{'path':'/'}},{'name':'b','emptyDir':{}}]} | hostPath volumes (volume \"a\")",
        "v1.0 | {'volumes':[{'name':'b','hostPath':{}},{'name':'a','hostPath':{}}]} | hostPath volumes (volumes \"b\", \"a\")",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(HostPathVolumesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
