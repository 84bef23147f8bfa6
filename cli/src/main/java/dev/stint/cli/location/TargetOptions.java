package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags that name the place of the Jobs that a command is about. */
final class TargetOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory of stint run or stint up, whose API is used if it runs "
              + "(default: $$XDG_DATA_HOME/stint).")
  private @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of another cluster to use instead of a data directory.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: its current context).")
  private @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the Jobs (default: that of the context, else default).")
  private @Nullable String namespace;

  @Mixin private EncryptionOptions encryption = new EncryptionOptions();

  /**
   * Opens the place.
   *
   * @throws UserException if it can't be opened
   */
  JobsTarget open(Console console) {
    if (kubeconfig != null && data != null) {
      throw new UserException("--data and --kubeconfig cannot be combined; remove one of them");
    }
    if (kubeconfig != null) {
      return JobsTarget.ofCluster(kubeconfig, context, namespace, flags());
    }
    if (context != null) {
      throw new UserException("--context requires --kubeconfig FILE");
    }
    return JobsTarget.ofData(
        DataLocation.of(data, console.environment()),
        encryption.configuration(),
        namespace,
        flags());
  }

  EncryptionConfiguration encryption() {
    return encryption.configuration();
  }

  /** Returns the same flags for another command, each with a space before it. */
  private String flags() {
    return flag("--data", data)
        + flag("--kubeconfig", kubeconfig)
        + flag("--context", context)
        + flag("-n", namespace)
        + flag("--encryption-provider-config", encryption.file());
  }

  private static String flag(String name, @Nullable Object value) {
    return value == null ? "" : " " + name + " " + ShellQuoting.quoted(value.toString());
  }
}
