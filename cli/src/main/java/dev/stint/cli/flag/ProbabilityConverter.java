package dev.stint.cli.flag;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses probabilities: {@code 0.02}, {@code 2%}. */
public final class ProbabilityConverter implements ITypeConverter<Double> {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,9})?)(%?)");

  @Override
  public Double convert(String text) {
    Matcher parts = TEXT.matcher(text);
    double value = parts.matches() ? Double.parseDouble(parts.group(1)) : -1;
    double probability = parts.matches() && !parts.group(2).isEmpty() ? value / 100 : value;
    if (probability < 0 || probability > 1) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a probability, such as 0.02 or 2%");
    }
    return probability;
  }
}
