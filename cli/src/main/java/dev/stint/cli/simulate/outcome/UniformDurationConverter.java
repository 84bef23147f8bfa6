package dev.stint.cli.simulate.outcome;

import dev.stint.cli.flag.DurationConverter;
import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses random durations: {@code 30s}, {@code 30s±10s}, {@code 30s+-10s}. */
public final class UniformDurationConverter implements ITypeConverter<UniformDuration> {
  /** The sign. If the locale has no ±, the JDK passes on replacement characters for its bytes. */
  private static final Pattern SIGN = Pattern.compile("±|\\+/?-|\uFFFD{1,2}");

  @Override
  public UniformDuration convert(String text) {
    String[] parts = SIGN.split(text, 2);
    try {
      Duration most = parts.length == 1 ? Duration.ZERO : DurationConverter.parse(parts[1]);
      return new UniformDuration(DurationConverter.parse(parts[0]), most);
    } catch (IllegalArgumentException fault) {
      throw new TypeConversionException("\"" + text + "\": " + fault.getMessage());
    }
  }
}
