package dev.stint.cli.plane;

import dev.stint.cli.flag.ByteSizeConverter;
import dev.stint.cli.flag.CpuConverter;
import dev.stint.cli.flag.DeviceConverter;
import dev.stint.cli.flag.FlagRange;
import dev.stint.cli.flag.NamedDevices;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.location.EncryptionOptions;
import dev.stint.cli.output.UserException;
import dev.stint.embedded.ControlPlaneOptions;
import dev.stint.runner.RunnerOptions;
import dev.stint.runner.device.Devices;
import dev.stint.runner.device.LocalDevices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.user.InheritedNames;
import dev.stint.runner.spec.ResourceAmount;
import dev.stint.store.StoreOptions;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of commands that keep state and run pods on this machine. */
public final class NodeOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory for state and logs (default: $$XDG_DATA_HOME/stint).")
  @Nullable Path data;

  @Option(
      names = "--max-pods",
      paramLabel = "N",
      description =
          "Maximum number of pods that run at once; other pods wait (default: 110, or "
              + "unlimited if pods are simulated).")
  @Nullable Integer maxPods;

  @Option(
      names = "--durability",
      paramLabel = "strict|relaxed",
      description =
          "Acknowledge a write once it is on disk (strict) or before (relaxed). With "
              + "relaxed, a power failure may lose the last writes (default: strict).")
  Durability durability = Durability.strict;

  @Option(
      names = "--host-path",
      paramLabel = "DIR",
      description =
          "Directory that pods may mount as a hostPath volume; may be repeated (default: none).")
  List<Path> hostPaths = List.of();

  @Option(
      names = "--volume-dir",
      paramLabel = "CLAIM=DIR",
      description =
          "Directory of a persistent volume claim, also NAMESPACE/CLAIM=DIR; may be repeated "
              + "(default: volumes/NAMESPACE/CLAIM in the data directory).")
  Map<String, Path> volumeDirs = Map.of();

  @Option(
      names = "--inherit-env",
      paramLabel = "LIST",
      split = ",",
      description =
          "Variables of the environment that processes inherit besides PATH, HOME, USER, LANG and "
              + "the like: names, also with *, or all, or none; may be repeated "
              + "(default of run: all; of up: none). STINT_* are never inherited.")
  List<String> inheritEnv = List.of();

  @Option(
      names = "--machine-cpu",
      paramLabel = "CORES",
      converter = CpuConverter.class,
      description =
          "Total of CPU cores that running pods may request (default: all cores of this "
              + "machine).")
  @Nullable BigDecimal cores;

  @Option(
      names = "--machine-memory",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      description =
          "Total of memory that running pods may request (default: all memory of this machine).")
  @Nullable Long memoryBytes;

  @Option(
      names = "--device",
      paramLabel = "RESOURCE=N|ID,ID...",
      converter = DeviceConverter.class,
      description =
          "Devices that pods get if they request the resource in their limits, such as "
              + "example.com/license=4 or nvidia.com/gpu=0,1; may be repeated (default: the "
              + "NVIDIA and AMD GPUs of this machine).")
  List<NamedDevices> named = List.of();

  @Option(
      names = "--require-limits",
      description =
          "Refuse pods whose resources.limits of CPU or memory this machine does not enforce. "
              + "Without it, a warning says so.")
  boolean requireLimits;

  @Option(
      names = "--inputs-timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "Time that a pod waits for a missing ConfigMap or Secret before it fails "
              + "(default: ${DEFAULT-VALUE}).")
  Duration inputsTimeout = RunnerOptions.DEFAULT_INPUTS_TIMEOUT;

  @Option(
      names = "--max-log-size",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      defaultValue = "50Mi",
      description =
          "Maximum log size of each attempt of a container; the oldest lines are dropped "
              + "(default: ${DEFAULT-VALUE}).")
  long maxLogSize = LogLimits.DEFAULT.attemptBytes();

  @Option(
      names = "--keep-logs",
      paramLabel = "DURATION",
      defaultValue = "30d",
      description = "Time to keep the logs of finished pods (default: ${DEFAULT-VALUE}).")
  Duration keepLogs = LogLimits.DEFAULT.age();

  @Option(
      names = "--keep-logs-size",
      paramLabel = "SIZE",
      converter = ByteSizeConverter.class,
      defaultValue = "10Gi",
      description =
          "Maximum total size of the logs of finished pods; the oldest are deleted first "
              + "(default: ${DEFAULT-VALUE}).")
  long keepLogsSize = LogLimits.DEFAULT.bytes();

  @Option(
      names = "--container-socket",
      paramLabel = "PATH",
      description =
          "Socket of Docker or Podman for --runtime container (default: $$DOCKER_HOST, "
              + "else the first of /var/run/docker.sock, $$XDG_RUNTIME_DIR/podman/podman.sock "
              + "and /run/podman/podman.sock).")
  @Nullable Path containerSocket;

  @Mixin EncryptionOptions encryption = new EncryptionOptions();

  /** Returns how objects are encrypted on disk. */
  public EncryptionOptions encryption() {
    return encryption;
  }

  /** The values of {@code --durability}. */
  enum Durability {
    strict,
    relaxed
  }

  /** Returns the data directory that the user has named; null for none. */
  public @Nullable Path data() {
    return data;
  }

  /**
   * Returns the data directory, which it creates if needed.
   *
   * @throws UserException if the directory cannot be created
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
    FlagRange.atLeastOne("--max-pods", maxPods);
    if (maxPods != null) {
      return maxPods;
    }
    return runtime == RuntimeKind.process || runtime == RuntimeKind.container
        ? ControlPlaneOptions.DEFAULT_MAX_PODS
        : Integer.MAX_VALUE;
  }

  /**
   * Returns the permissions of pods and the daemon that runs them.
   *
   * @param unlessNamed the variables that processes inherit, unless the flag says otherwise
   */
  public PodOptions pods(InheritedNames unlessNamed) {
    checkDirs();
    Devices devices = devices();
    return new PodOptions(
        hostPaths.stream().map(Path::toAbsolutePath).toList(),
        VolumeDirs.checked(volumeDirs),
        containerSocket,
        logs(),
        machine().withDevices(devices.counts()),
        devices,
        inputsTimeout,
        inheritEnv.isEmpty() ? unlessNamed : inherited(inheritEnv),
        requireLimits,
        Optional.empty());
  }

  private void checkDirs() {
    Map<String, Path> dirs = new TreeMap<>();
    hostPaths.forEach(path -> dirs.put("--host-path " + path, path));
    volumeDirs.forEach((name, path) -> dirs.put("--volume-dir " + name, path));
    NestedDirs.check(dirs);
  }

  private static InheritedNames inherited(List<String> names) {
    for (String name : names) {
      if (name.isEmpty() || name.indexOf('=') >= 0) {
        throw new UserException(
            "--inherit-env: \""
                + name
                + "\" is not the name of a variable, such as HTTP_PROXY or AWS_*");
      }
      if (InheritedNames.isOwn(name)) {
        throw new UserException(
            "--inherit-env: " + name + " is Stint's own, and no process inherits it; remove it");
      }
    }
    if (names.contains("all")) {
      return InheritedNames.ALL;
    }
    return names.equals(List.of("none")) ? InheritedNames.FEW : InheritedNames.fewAnd(names);
  }

  private ResourceAmount machine() {
    ResourceAmount all = ResourceAmount.ofThisMachine();
    return new ResourceAmount(
        cores == null ? all.milliCpu() : cores.movePointRight(3).longValue(),
        memoryBytes == null ? all.memoryBytes() : memoryBytes);
  }

  /** Returns the GPUs of this machine, and the devices that flags name in place of them. */
  private Devices devices() {
    Devices all = LocalDevices.find();
    for (NamedDevices named : named) {
      all = all.with(named.resource(), named.ids());
    }
    return all;
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
