package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class NamedClusterConverterTest {
  private final NamedClusterConverter converter = new NamedClusterConverter();

  @Test
  void aContextComesAfterTheFileAndMayHaveColons() {
    assertThat(converter.convert("east=a/b=c"))
        .isEqualTo(new NamedCluster("east", Path.of("a/b=c"), null));
    assertThat(converter.convert("east=f:arn:aws:eks"))
        .isEqualTo(new NamedCluster("east", Path.of("f"), "arn:aws:eks"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "east", "=f", "east=", "east=:c", "east=f:", "East=f", "a/b=f"})
  void anythingElseIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("east=FILE:CONTEXT");
  }
}
