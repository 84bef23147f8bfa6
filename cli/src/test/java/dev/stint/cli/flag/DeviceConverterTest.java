package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DeviceConverterTest {
  private final DeviceConverter converter = new DeviceConverter();

  @Test
  void aNumberIsACountAndACommaMakesIds() {
    assertThat(converter.convert("example.com/license=3"))
        .isEqualTo(new NamedDevices("example.com/license", List.of("0", "1", "2")));
    assertThat(converter.convert("nvidia.com/gpu=3,GPU-8:1"))
        .isEqualTo(new NamedDevices("nvidia.com/gpu", List.of("3", "GPU-8:1")));
    assertThat(converter.convert("nvidia.com/gpu=3,"))
        .isEqualTo(new NamedDevices("nvidia.com/gpu", List.of("3")));
    assertThat(converter.convert("nvidia.com/gpu=0").ids()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gpu=1",
        "nvidia.com/gpu",
        "nvidia.com/gpu=",
        "nvidia.com/gpu=,",
        "a/b/c=1",
        "nvidia.com/gpu=1,1",
        "nvidia.com/gpu=1,$(x)",
        "kubernetes.io/x=1",
        "x.kubernetes.io/x=1",
        "nvidia.com/gpu=99999"
      })
  void anythingElseIsRefusedWithExamples(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("example.com/license=4");
  }
}
