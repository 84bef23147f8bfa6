package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class NamedSelectorConverterTest {
  private final NamedSelectorConverter converter = new NamedSelectorConverter();

  private boolean isTaken(String text, Map<String, String> labels) {
    return converter.convert(text).selector().test(labels);
  }

  @Test
  void allTermsMustMatch() {
    String text = "east=example.com/team=red,tier!=batch";
    assertThat(converter.convert(text).name()).isEqualTo("east");
    assertThat(isTaken(text, Map.of("example.com/team", "red"))).isTrue();
    assertThat(isTaken(text, Map.of("example.com/team", "red", "tier", "batch"))).isFalse();
    assertThat(isTaken(text, Map.of("tier", "web"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"east=team==red", "east=team in (red, blue)", "east=team", "east=!tier,team"})
  void selectorsAreThoseOfKubectl(String text) {
    assertThat(isTaken(text, Map.of("team", "red"))).isTrue();
    assertThat(isTaken(text, Map.of("tier", "red"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "east", "east=", "=a=b", "east==a", "east=a=b,", "east=!=b", "east=a=b c"})
  void anythingElseIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("east=team=red");
  }
}
