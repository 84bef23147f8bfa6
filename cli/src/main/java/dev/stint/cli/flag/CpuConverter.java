package dev.stint.cli.flag;

import dev.stint.model.Quantity;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses numbers of cores as Kubernetes writes them: {@code 2}, {@code 0.5}, {@code 1500m}. */
public final class CpuConverter implements ITypeConverter<BigDecimal> {
  @Override
  public BigDecimal convert(String text) {
    @Nullable Quantity amount = Quantity.parse(text);
    if (amount == null || amount.isNegative()) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a number of cores, such as 2, 0.5 or 1500m");
    }
    return amount.value();
  }
}
