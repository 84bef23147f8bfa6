package dev.stint.cli.serve;

import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.console.signin.SignInLinks;
import dev.stint.embedded.data.DataDirectory;
import dev.stint.embedded.data.DataDirectoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stint console}: makes a link that signs one browser in. */
@Command(
    name = "console",
    description = {
      "Print a link that opens the console of a running stint up.",
      "It signs in one browser, once, within ten minutes."
    })
public final class ConsoleCommand implements Callable<Integer> {
  private static final Pattern SERVER = Pattern.compile("server: \"(https://[^\"]+)\"");

  private final Console console;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory of stint up (default: $$XDG_DATA_HOME/stint).")
  @Nullable Path data;

  public ConsoleCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    DataLocation location = DataLocation.of(data, console.environment());
    location.checkExists();
    checkIsServed(location);
    try {
      String config = Files.readString(location.layout().kubeconfig());
      Matcher server = SERVER.matcher(config);
      if (!server.find()) {
        throw notServed(location);
      }
      String link = new SignInLinks(location.path(), InstantSource.system()).make();
      console.out().println(server.group(1) + link);
      return ExitCode.OK.status();
    } catch (IOException fault) {
      throw notServed(location);
    }
  }

  /** Checks that a process has the directory open. */
  private static void checkIsServed(DataLocation location) {
    try (DataDirectory _ = location.open()) {
      throw notServed(location);
    } catch (DataDirectoryException inUse) {
      if (inUse.holder() == null) {
        throw DataLocation.userException(inUse);
      }
    }
  }

  private static UserException notServed(DataLocation location) {
    return new UserException(
        "no stint up serves "
            + location.path()
            + "; start it, or name another one with --data DIR");
  }
}
