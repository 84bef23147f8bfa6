package dev.stint.cli;

import dev.stint.embedded.ControlPlane;
import dev.stint.store.StoreOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags of commands that keep state and run pods on this machine. */
final class NodeOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where state and logs are kept. Default: $$XDG_DATA_HOME/stint.")
  private @Nullable Path data;

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      description = "Most pods that run at once; the others wait. Default: 110.")
  private @Nullable Integer maxPods;

  @Option(
      names = "--durability",
      paramLabel = "strict|relaxed",
      description = "relaxed does not wait for the disk; a power failure may lose the last writes.")
  private Durability durability = Durability.strict;

  @Option(
      names = "--host-path",
      paramLabel = "DIR",
      description = "A directory that pods may have as a hostPath volume. Default: none.")
  private List<Path> hostPaths = List.of();

  @Option(
      names = "--container-socket",
      paramLabel = "PATH",
      description = {
        "The socket of Docker or Podman, for --runtime container. Default: that of $$DOCKER_HOST,",
        "/var/run/docker.sock, $$XDG_RUNTIME_DIR/podman/podman.sock or /run/podman/podman.sock."
      })
  private @Nullable Path containerSocket;

  /** The values of {@code --durability}. */
  enum Durability {
    strict,
    relaxed
  }

  /**
   * The data directory, which is there afterwards.
   *
   * @throws UserException where that can't be
   */
  DataLocation location(Map<String, String> environment) {
    DataLocation location = DataLocation.of(data, environment);
    location.create();
    return location;
  }

  /**
   * How many pods run at once.
   *
   * @throws UserException where the flag is out of range
   */
  int mostPods(RuntimeKind runtime) {
    if (maxPods != null && maxPods < 1) {
      throw new UserException("--max-pods is " + maxPods + "; it must be at least 1");
    }
    if (maxPods != null) {
      return maxPods;
    }
    return runtime == RuntimeKind.process || runtime == RuntimeKind.container
        ? ControlPlane.Options.DEFAULT_MAX_PODS
        : Integer.MAX_VALUE;
  }

  /** What pods may do, and by whom they run. */
  PodOptions pods() {
    return new PodOptions(hostPaths.stream().map(Path::toAbsolutePath).toList(), containerSocket);
  }

  StoreOptions store() {
    return StoreOptions.defaults()
        .with(
            durability == Durability.strict
                ? StoreOptions.Durability.STRICT
                : StoreOptions.Durability.RELAXED);
  }
}
