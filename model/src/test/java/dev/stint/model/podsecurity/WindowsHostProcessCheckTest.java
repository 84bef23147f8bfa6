package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes of the host on Windows. */
class WindowsHostProcessCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','securityContext':{'windowsOptions':{}}}],'securityContext':{'windowsOptions':{'hostProcess':false}}} |",
        "| {'containers':[{'name':'a'}],'securityContext':{'windowsOptions':{'hostProcess':true}}} | hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
        "v1.0 | {'containers':[{'name':'e','securityContext':{'windowsOptions':{'hostProcess':true}}},{'name':'f','securityContext':{'windowsOptions':{'hostProcess':true}}}],'securityContext':{'windowsOptions':{'hostProcess':true}}} | hostProcess (pod and containers \"e\", \"f\" must not set securityContext.windowsOptions.hostProcess=true)",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(WindowsHostProcessCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
