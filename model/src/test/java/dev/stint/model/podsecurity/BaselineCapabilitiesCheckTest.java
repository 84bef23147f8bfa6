package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Capabilities beyond those that runtimes give. */
class BaselineCapabilitiesCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','securityContext':{'capabilities':{'add':['CHOWN','MKNOD','SYS_CHROOT','NET_BIND_SERVICE']}}}]} |",
        "| {'containers':[{'name':'a','securityContext':{'capabilities':{'add':['NET_ADMIN','CHOWN']}}},{'name':'b'}]} | non-default capabilities (container \"a\" must not include \"NET_ADMIN\" in securityContext.capabilities.add)",
        "v1.0 | {'containers':[{'name':'a','securityContext':{'capabilities':{'add':['NET_RAW']}}},{'name':'b','securityContext':{'capabilities':{'add':['ALL','NET_RAW']}}}]} | non-default capabilities (containers \"a\", \"b\" must not include \"ALL\", \"NET_RAW\" in securityContext.capabilities.add)",
        "| {'initContainers':[{'name':'i','securityContext':{'capabilities':{'add':['X']}}}],'ephemeralContainers':[{'name':'e','securityContext':{'capabilities':{'add':['Y']}}}]} | non-default capabilities (containers \"i\", \"e\" must not include \"X\", \"Y\" in securityContext.capabilities.add)",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(BaselineCapabilitiesCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
