package dev.stint.cli.location;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ShellQuoting;
import dev.stint.cli.output.UserException;
import dev.stint.cluster.ClusterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags that name the place of the Jobs that a command is about. */
public final class TargetOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Data directory of stint run or stint up, whose API is used if it runs "
              + "(default: $$XDG_DATA_HOME/stint, unless $$KUBECONFIG names a cluster).")
  @Nullable Path data;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of a cluster to use instead of a data directory (default: $$KUBECONFIG).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "Context of the cluster to use, from --kubeconfig, $$KUBECONFIG or ~/.kube/config "
              + "(default: the current context).")
  @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Namespace of the Jobs (default: that of the context, else default).")
  @Nullable String namespace;

  @Mixin EncryptionOptions encryption = new EncryptionOptions();

  /** Work on an open place. */
  @FunctionalInterface
  public interface Work<T> {
    T on(JobsTarget target) throws IOException;
  }

  /**
   * Opens the place for some work, and closes it.
   *
   * @throws UserException if it cannot be opened or read, or if its API refuses
   */
  public <T> T with(Console console, Work<T> work) {
    try (JobsTarget target = open(console)) {
      return work.on(target);
    } catch (ClusterException refused) {
      throw TargetCommand.userException(refused);
    } catch (IOException fault) {
      throw new UserException(describe(fault));
    } catch (UncheckedIOException fault) {
      throw new UserException(describe(fault.getCause()));
    }
  }

  private static String describe(@Nullable IOException fault) {
    if (fault == null) {
      return "cannot be read";
    }
    return fault instanceof java.nio.file.FileSystemException failed
        ? failed.getFile() + " cannot be read: " + failed.getClass().getSimpleName()
        : "cannot be read: " + fault.getMessage();
  }

  /**
   * Opens the place.
   *
   * @throws UserException if it cannot be opened
   */
  private JobsTarget open(Console console) {
    return switch (ChosenTarget.of(data, kubeconfig, context, console.environment())) {
      case ChosenTarget.Far far -> {
        JobsTarget target = JobsTarget.ofCluster(far, namespace, flags());
        if (far.implied()) {
          target
              .description()
              .ifPresent(cluster -> console.say(cluster + ", from " + far.origin()));
        }
        yield target;
      }
      case ChosenTarget.Data(DataLocation directory) ->
          DataTargetOpener.open(directory, encryption.configuration(), namespace, flags());
    };
  }

  EncryptionConfiguration encryption() {
    return encryption.configuration();
  }

  /** Returns the same flags for another command, each with a space before it. */
  private String flags() {
    return ShellQuoting.flag("--data", data)
        + ShellQuoting.flag("--kubeconfig", kubeconfig)
        + ShellQuoting.flag("--context", context)
        + ShellQuoting.flag("-n", namespace)
        + ShellQuoting.flag("--encryption-provider-config", encryption.file());
  }
}
