package dev.stint.cli.flag;

import dev.stint.jobs.Indexes;
import dev.stint.model.FeatureGates;
import dev.stint.model.index.IndexSet;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Registers the converters of flags. */
public final class FlagConverters {
  static {
    // Otherwise each command line looks for the classes of twenty types that no flag has.
    System.setProperty("picocli.converters.excludes", "java[.](nio|sql|time)[.].*");
  }

  private FlagConverters() {}

  /** Returns a command line without commands, and with these converters. */
  public static CommandLine commandLine(CommandSpec spec) {
    return register(new CommandLine(spec));
  }

  /**
   * Registers these converters for a command line and its current subcommands. A word such as
   * {@code @file} stays as it is, since it may belong to a command that is run.
   */
  public static CommandLine register(CommandLine line) {
    line.setExpandAtFiles(false);
    line.registerConverter(Path.class, withMessages(Path::of));
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
