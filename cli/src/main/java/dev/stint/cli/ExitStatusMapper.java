package dev.stint.cli;

import dev.stint.cli.config.ConfiguredFlags;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.Logging;
import dev.stint.cli.output.UserException;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ParameterException;

/** Maps faults to messages for the user and to exit statuses. The one place for that. */
public final class ExitStatusMapper {
  private final Console console;
  private final ConfiguredFlags configured;

  public ExitStatusMapper(Console console) {
    this(console, ConfiguredFlags.none());
  }

  ExitStatusMapper(Console console, ConfiguredFlags configured) {
    this.console = console;
    this.configured = configured;
  }

  /** Reports a command line that the parser refused, in one line. */
  public int reportUsageError(ParameterException fault) {
    String command = fault.getCommandLine().getCommandSpec().qualifiedName();
    String origin = configured.origin(fault);
    console.say(
        ParserMessages.of(fault)
            + (origin == null ? "" : "; " + origin + " sets it, correct it there")
            + "; see: "
            + command
            + " --help");
    return ExitCode.USAGE.status();
  }

  /** Reports a command that ended in an exception. */
  public int reportFailure(Throwable fault) {
    if (fault instanceof UserException user) {
      user.lines().forEach(console::say);
      configured.origins(user.lines()).forEach(console::say);
      return user.exitCode().status();
    }
    console.say("internal error: " + firstLine(fault) + "; " + logDetails(fault));
    return ExitCode.INTERNAL.status();
  }

  /** Reports output that was lost. The status of a command that has failed anyway stays. */
  int reportLostOutput(int status, IOException why) {
    console.say("standard output is incomplete: " + why.getMessage());
    return status == ExitCode.OK.status() ? ExitCode.USAGE.status() : status;
  }

  private static String firstLine(Throwable fault) {
    String name = fault.getClass().getSimpleName();
    String message = fault.getMessage();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }

  private String logDetails(Throwable fault) {
    try {
      if (!Logging.isStarted()) {
        DataLocation data = DataLocation.of(null, console.environment());
        data.create();
        Logging.toFile(data.log());
      }
      LoggerFactory.getLogger(ExitStatusMapper.class).error("Internal error", fault);
      Path file = Logging.file();
      return file == null ? "see the log above" : "see " + file;
    } catch (RuntimeException noPlace) {
      return "run it again with --verbose for details";
    }
  }
}
