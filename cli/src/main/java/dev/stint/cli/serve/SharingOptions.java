package dev.stint.cli.serve;

import dev.stint.apiserver.http.server.HttpLimits;
import dev.stint.cli.flag.FlagRange;
import dev.stint.cli.output.UserException;
import dev.stint.runner.RunnerOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that keep users of one server from taking each other's share. */
final class SharingOptions {
  private static final String PODS = "--max-pods-per-namespace";
  private static final String CONNECTIONS = "--max-connections-per-address";

  @Option(
      names = PODS,
      paramLabel = "N",
      description =
          "Maximum number of pods of one namespace that run at once; its other pods wait "
              + "(default: unlimited).")
  @Nullable Integer pods;

  @Option(
      names = CONNECTIONS,
      paramLabel = "N",
      description =
          "Maximum number of connections from one address other than this machine's; raise it for "
              + "clients behind a proxy (default: an eighth of all connections).")
  @Nullable Integer connections;

  /**
   * Returns the number of pods of one namespace that run at once.
   *
   * @throws UserException if the flag is out of range
   */
  int mostPodsPerNamespace() {
    FlagRange.atLeastOne(PODS, pods);
    return pods == null ? RunnerOptions.UNLIMITED_PODS : pods;
  }

  /**
   * Returns the limits of clients.
   *
   * @param machine the limits of this machine
   * @throws UserException if the flag is out of range
   */
  HttpLimits limits(HttpLimits machine) {
    if (connections == null) {
      return machine;
    }
    int most = machine.connections();
    if (connections < 1 || connections > most) {
      throw new UserException(
          ("%s is %d; it must be from 1 to %d, the number of all connections, which follows from"
                  + " the limit of open files (ulimit -n)")
              .formatted(CONNECTIONS, connections, most));
    }
    return machine.withConnectionsPerAddress(connections);
  }
}
