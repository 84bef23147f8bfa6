package dev.stint.cli.plane;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.CpuConverter;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.ControlPlane;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StoreOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of commands that keep state and run pods on this machine. */
public final class NodeOptions {
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
      names = "--machine-cpu",
      paramLabel = "CORES",
      converter = CpuConverter.class,
      description = "Cores that pods may request together. Default: all of this machine.")
  private @Nullable BigDecimal cores;

  @Option(
      names = "--machine-memory",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      description = "Memory that pods may request together. Default: all of this machine.")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--inputs-timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description = {
        "How long a pod waits for a config map or secret that does not exist, before it fails",
        "(default: ${DEFAULT-VALUE})."
      })
  private Duration inputsTimeout = RunnerOptions.DEFAULT_INPUTS_TIMEOUT;

  @Option(
      names = "--max-log-size",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      defaultValue = "50Mi",
      description = {
        "How much is kept of what a container prints, for each of its attempts;",
        "the newest lines are (default: ${DEFAULT-VALUE})."
      })
  private long maxLogSize = LogLimits.DEFAULT.attemptBytes();

  @Option(
      names = "--keep-logs",
      paramLabel = "DURATION",
      defaultValue = "30d",
      description = "How long logs are kept of what has ended (default: ${DEFAULT-VALUE}).")
  private Duration keepLogs = LogLimits.DEFAULT.age();

  @Option(
      names = "--keep-logs-size",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      defaultValue = "10Gi",
      description = {
        "How much is kept of the logs of all that has ended;",
        "the newest are (default: ${DEFAULT-VALUE})."
      })
  private long keepLogsSize = LogLimits.DEFAULT.bytes();

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
   * Returns the data directory, which it creates if needed.
   *
   * @throws UserException if the directory can't be created
   */
  public DataLocation location(Map<String, String> environment) {
    DataLocation location = DataLocation.of(data, environment);
    location.create();
    return location;
  }

  /**
   * Returns the number of pods that run at once.
   *
   * @throws UserException if the flag is out of range
   */
  public int mostPods(RuntimeKind runtime) {
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

  /** Returns the permissions of pods and the daemon that runs them. */
  public PodOptions pods() {
    return new PodOptions(
        hostPaths.stream().map(Path::toAbsolutePath).toList(),
        containerSocket,
        logs(),
        machine(),
        inputsTimeout);
  }

  private ResourceAmount machine() {
    ResourceAmount all = ResourceAmount.ofThisMachine();
    return new ResourceAmount(
        cores == null ? all.milliCpu() : cores.movePointRight(3).longValue(),
        memoryBytes == null ? all.memoryBytes() : memoryBytes);
  }

  private LogLimits logs() {
    if (maxLogSize < LogLimits.LEAST_ATTEMPT_BYTES) {
      throw new UserException("--max-log-size is " + maxLogSize + "; it must be at least 64Ki");
    }
    return new LogLimits(maxLogSize, keepLogs, keepLogsSize);
  }

  public StoreOptions store() {
    return StoreOptions.defaults()
        .with(
            durability == Durability.strict
                ? StoreOptions.Durability.STRICT
                : StoreOptions.Durability.RELAXED);
  }
}
