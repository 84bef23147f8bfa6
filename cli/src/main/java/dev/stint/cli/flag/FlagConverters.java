package dev.stint.cli.flag;

import dev.stint.jobs.Indexes;
import dev.stint.model.FeatureGates;
import dev.stint.model.index.IndexSet;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Registers the converters of flags. */
public final class FlagConverters {
  private FlagConverters() {}

  public static CommandLine register(CommandLine line) {
    line.registerConverter(Duration.class, withMessages(DurationConverter::parse));
    line.registerConverter(InetSocketAddress.class, withMessages(AddressConverter::parse));
    line.registerConverter(FeatureGates.class, withMessages(FeatureGatesConverter::parse));
    line.registerConverter(IndexSet.class, withMessages(Indexes::parse));
    return line;
  }

  /** Passes the converter's own message on to the user. */
  private static <T> CommandLine.ITypeConverter<T> withMessages(
      CommandLine.ITypeConverter<T> parser) {
    return text -> {
      try {
        return parser.convert(text);
      } catch (IllegalArgumentException fault) {
        throw new TypeConversionException(fault.getMessage());
      }
    };
  }
}
