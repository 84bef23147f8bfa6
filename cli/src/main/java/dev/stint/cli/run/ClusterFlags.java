package dev.stint.cli.run;

import dev.stint.cli.location.ChosenTarget;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The flags of {@code run} that name a cluster to run on, and what holds there. */
final class ClusterFlags {
  /** Flags that make no sense on this machine. */
  private static final Set<String> OF_CLUSTERS = Set.of("--namespace", "--managed-by");

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of a cluster to run on instead of this machine (default: $$KUBECONFIG).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "Context of the cluster to run on, from --kubeconfig, $$KUBECONFIG or ~/.kube/config "
              + "(default: the current context).")
  @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description =
          "Namespace of documents that name none (default: that of the context, else default).")
  @Nullable String namespace;

  @Option(
      names = "--managed-by",
      paramLabel = "NAME",
      description =
          "On a cluster: controller of Jobs that name none, such as stint.dev/job-controller "
              + "(default: the built-in one).")
  @Nullable String managedBy;

  ChosenTarget target(@Nullable Path data, Map<String, String> environment) {
    return ChosenTarget.of(data, kubeconfig, context, environment);
  }

  @Nullable String namespace() {
    return namespace;
  }

  @Nullable String managedBy() {
    if (managedBy != null && !managedBy.matches("[^/\\s]+/[^/\\s]+")) {
      throw new UserException(
          "--managed-by \"%s\" is not a name such as stint.dev/job-controller"
              .formatted(managedBy));
    }
    return managedBy;
  }

  /**
   * Rejects flags that have no effect on this machine. Those of the configuration are for clusters.
   *
   * @param parsed the command line
   * @throws UserException naming the flag
   */
  static void checkHere(ParseResult parsed) {
    parsed.matchedOptions().stream()
        .map(OptionSpec::longestName)
        .filter(OF_CLUSTERS::contains)
        .findFirst()
        .ifPresent(flag -> {
          throw new UserException(
              flag + " requires a cluster; name one with --kubeconfig or --context");
        });
  }

  /** Returns the flags that name the cluster for another command, each with a space before it. */
  String flags() {
    return ShellQuoting.flag("--kubeconfig", kubeconfig) + ShellQuoting.flag("--context", context);
  }
}
