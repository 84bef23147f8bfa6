package dev.stint.model.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports of the host. */
class HostPortsCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "| {'containers':[{'name':'a','ports':[{'containerPort':80},{'containerPort':81,'hostPort':0}]}]} |",
        "| {'containers':[{'name':'a','ports':[{'hostPort':80}]}]} | hostPort (container \"a\" uses hostPort 80)",
        "v1.0 | {'containers':[{'name':'a','ports':[{'hostPort':9000},{'hostPort':80}]},{'name':'b','ports':[{'hostPort':80}]}]} | hostPort (containers \"a\", \"b\" use hostPorts 80, 9000)",
      })
  void check(@Nullable String version, String spec, @Nullable String expected) {
    assertThat(PodTexts.violations(HostPortsCheck.CHECK, version, PodTexts.pod(spec)))
        .isEqualTo(expected == null ? "" : expected);
  }
}
