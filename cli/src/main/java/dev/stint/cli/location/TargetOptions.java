package dev.stint.cli.location;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.PluralText;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that name the place of the Jobs that a command is about. */
final class TargetOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "The data directory of stint run or stint up. Where an up has it open, its API is used. "
              + "Default: $$XDG_DATA_HOME/stint.")
  private @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Another cluster, instead of a data directory.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Which context of the kubeconfig file. Default: its current one.")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Where the Job is. Default: that of the context, or default.")
  private @Nullable String namespace;

  /**
   * Opens the place.
   *
   * @throws UserException if it can't be opened
   */
  JobsTarget open(Console console) {
    if (kubeconfig != null && data != null) {
      throw new UserException("--data and --kubeconfig name two places; leave one out");
    }
    if (kubeconfig != null) {
      return JobsTarget.ofCluster(kubeconfig, context, namespace, flags());
    }
    if (context != null) {
      throw new UserException("--context needs --kubeconfig FILE, which has contexts");
    }
    return JobsTarget.ofData(DataLocation.of(data, console.environment()), namespace, flags());
  }

  /** Returns the same flags for another command, each with a space before it. */
  private String flags() {
    return flag("--data", data)
        + flag("--kubeconfig", kubeconfig)
        + flag("--context", context)
        + flag("-n", namespace);
  }

  private static String flag(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + PluralText.quoted(value.toString());
  }
}
