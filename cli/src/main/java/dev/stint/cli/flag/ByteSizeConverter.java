package dev.stint.cli.flag;

import dev.stint.model.Quantity;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses numbers of bytes: {@code 50Mi}, {@code 50MiB}, {@code 1G}, {@code 4096}. */
public final class ByteSizeConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    return parse(text);
  }

  /** Returns a rounded number of bytes for people: {@code 512}, {@code 1.5Ki}, {@code 20Mi}. */
  public static String brief(long bytes) {
    if (bytes < 1024) {
      return Long.toString(bytes);
    }
    double value = bytes;
    int unit = -1;
    while (value >= 1024 && unit < 3) {
      value /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    return number + List.of("Ki", "Mi", "Gi", "Ti").get(unit);
  }

  private static long parse(String text) {
    @Nullable Quantity size =
        Quantity.parse(text.endsWith("B") ? text.substring(0, text.length() - 1) : text);
    if (size == null || size.isNegative() || text.endsWith("m")) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a number of bytes, such as 500Mi, 10Gi or 1G");
    }
    return size.value().setScale(0, RoundingMode.CEILING).longValueExact();
  }
}
