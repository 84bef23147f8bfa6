package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Namespaces of the host. */
class HostNamespacesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'hostNetwork':false,'hostPID':false,'hostIPC':false} |",
        "| {'hostPID':true} | host namespaces (hostPID=true)",
        "v1.0 | {'hostIPC':true,'hostPID':true,'hostNetwork':true} | host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(HostNamespacesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
