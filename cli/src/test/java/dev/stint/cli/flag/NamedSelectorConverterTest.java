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

  @Test
  void allTermsMustMatch() {
    NamedSelector selector = converter.convert("east=example.com/team=red,tier!=batch");
    assertThat(selector.name()).isEqualTo("east");
    assertThat(selector.test(Map.of("example.com/team", "red"))).isTrue();
    assertThat(selector.test(Map.of("example.com/team", "red", "tier", "batch"))).isFalse();
    assertThat(selector.test(Map.of("tier", "web"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "east", "east=", "=a=b", "east=a", "east=a=b,", "east=!=b", "east=a=b c"})
  void anythingElseIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("east=team=red");
  }
}
