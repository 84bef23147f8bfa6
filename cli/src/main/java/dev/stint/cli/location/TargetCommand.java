package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/** A command about existing Jobs: opens their place, and reports refusals of an API. */
public abstract class TargetCommand implements Callable<Integer> {
  public final Console console;
  public final InstantSource clock = InstantSource.system();

  @Mixin TargetOptions options = new TargetOptions();

  public TargetCommand(Console console) {
    this.console = console;
  }

  @Override
  public final Integer call() {
    check();
    return finish(options.with(console, this::run));
  }

  /** Rejects flags that make no sense together, before anything is opened. */
  public void check() {}

  /** Returns how objects are encrypted on disk. */
  public final EncryptionConfiguration encryption() {
    return options.encryption();
  }

  public abstract ExitCode run(JobsTarget target) throws IOException;

  /** Does the rest of the work once the place is closed again; returns the exit status. */
  public int finish(ExitCode status) {
    return status.status();
  }

  /** Returns the message for a user whose request an API refuses. */
  public static UserException userException(ClusterException refused) {
    return refused.causes().isEmpty()
        ? new UserException(String.valueOf(refused.getMessage()))
        : new UserException(
            ExitCode.USAGE,
            List.of(
                refused.causes().stream()
                    .map(cause -> cause.path() + ": " + cause.message())
                    .collect(Collectors.joining("; "))));
  }
}
