package dev.stint.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeConverterTest {
  @ParameterizedTest
  @CsvSource({"4096, 4096", "50Mi, 52428800", "50MiB, 52428800", "1G, 1000000000", "0, 0"})
  void aNumberOfBytesIsReadWithItsUnit(String text, long bytes) {
    assertThat(new ByteSizeConverter().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"2, 2", "0.5, 0.5", "1500m, 1.5", "0, 0"})
  void aNumberOfCoresIsReadAsKubernetesWritesIt(String text, BigDecimal cores) {
    assertThat(new CpuConverter().convert(text)).isEqualByComparingTo(cores);
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new CpuConverter().convert("-" + text + "x"))
        .withMessageContaining("is not a number of cores, such as 2, 0.5 or 1500m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "B", "much", "-1Mi", "500m", "1 Mi"})
  void anInvalidNumberOfBytesIsRefusedWithAnExample(String text) {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> new ByteSizeConverter().convert(text))
        .withMessage("\"" + text + "\" is not a number of bytes, such as 500Mi, 10Gi or 1G");
  }
}
