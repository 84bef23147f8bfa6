package dev.stint.cli.plane;

import dev.stint.embedded.share.MachineLimits;
import dev.stint.embedded.share.PodPermissions;
import dev.stint.runner.container.ContainerOptions;
import dev.stint.runner.container.daemon.DaemonSocket;
import dev.stint.runner.device.Devices;
import dev.stint.runner.log.LogLimits;
import dev.stint.runner.process.ProcessOptions;
import dev.stint.runner.process.user.InheritedNames;
import dev.stint.runner.process.user.PodUserPolicy;
import dev.stint.runner.process.user.PodUsers;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.runner.spec.ResourceAmount;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of pods on this machine, and the daemon that runs them.
 *
 * @param hostPaths the directories that pods may have as volumes
 * @param claims the directories of persistent volume claims, by their names
 * @param containerSocket the container daemon's; null for the usual ones
 * @param logs the limits of their logs
 * @param machine the resources that pods that run at once share
 * @param devices the devices that they get
 * @param inputsTimeout the time that a pod waits for inputs that do not exist
 * @param inherited the variables that processes inherit
 * @param requireLimits true to refuse limits of CPU and memory that are not enforced
 * @param users the users that processes run as; empty for Stint's own
 */
public record PodOptions(
    List<Path> hostPaths,
    Map<String, Path> claims,
    @Nullable Path containerSocket,
    LogLimits logs,
    ResourceAmount machine,
    Devices devices,
    Duration inputsTimeout,
    InheritedNames inherited,
    boolean requireLimits,
    Optional<PodUsers> users) {
  /** Returns these options with other users that processes run as. */
  public PodOptions with(Optional<PodUsers> other) {
    return new PodOptions(
        hostPaths,
        claims,
        containerSocket,
        logs,
        machine,
        devices,
        inputsTimeout,
        inherited,
        requireLimits,
        other);
  }

  /**
   * Returns these options with the daemon that runs containers; without one if pods are none, or
   * none is found.
   */
  public PodOptions withDaemon(RuntimeKind runtime, Map<String, String> environment) {
    return with(new PodPermissions(claims, hostPaths, requireLimits, daemon(runtime, environment)));
  }

  private @Nullable Path daemon(RuntimeKind runtime, Map<String, String> environment) {
    if (runtime != RuntimeKind.container) {
      return null;
    }
    try {
      return DaemonSocket.find(containerSocket, environment).toRealPath();
    } catch (DaemonSocket.NotFound | IOException refused) {
      return containerSocket; // The runtime says what to do, if this command opens it.
    }
  }

  /** Returns the limits of all pods together. */
  public MachineLimits limits(int maxPods) {
    return new MachineLimits(
        maxPods, machine.milliCpu(), machine.memoryBytes(), devices, inputsTimeout, logs);
  }

  /** Returns the permissions with which pods run. */
  public PodPermissions permissions() {
    return new PodPermissions(claims, hostPaths, requireLimits, containerSocket);
  }

  /** Returns these options with other permissions with which pods run. */
  public PodOptions with(PodPermissions permissions) {
    return new PodOptions(
        permissions.hostPaths(),
        permissions.claims(),
        permissions.containerSocket(),
        logs,
        machine,
        devices,
        inputsTimeout,
        inherited,
        permissions.requireLimits(),
        users);
  }

  /**
   * Returns these options with the limits of an earlier holder of the data directory.
   *
   * @param named the flags that the user has named, which hold
   */
  public PodOptions after(MachineLimits earlier, List<String> named) {
    Devices shared = named.contains("--device") ? devices : earlier.devices();
    long cpu = named.contains("--machine-cpu") ? machine.milliCpu() : earlier.milliCpu();
    long memory =
        named.contains("--machine-memory") ? machine.memoryBytes() : earlier.memoryBytes();
    return new PodOptions(
        hostPaths,
        claims,
        containerSocket,
        logsAfter(earlier.logs(), named),
        new ResourceAmount(cpu, memory, shared.counts()),
        shared,
        named.contains("--inputs-timeout") ? inputsTimeout : earlier.inputsTimeout(),
        inherited,
        requireLimits,
        users);
  }

  private LogLimits logsAfter(LogLimits earlier, List<String> named) {
    return new LogLimits(
        named.contains("--max-log-size") ? logs.attemptBytes() : earlier.attemptBytes(),
        named.contains("--keep-logs") ? logs.age() : earlier.age(),
        named.contains("--keep-logs-size") ? logs.bytes() : earlier.bytes());
  }

  /**
   * Returns the options of processes.
   *
   * @param isPrivileged true if pods of a namespace may name other users
   * @param hidden the directory that processes don't see
   */
  ProcessOptions processes(Predicate<String> isPrivileged, Optional<Path> hidden) {
    PodUserPolicy policy =
        users.map(each -> new PodUserPolicy(each, isPrivileged)).orElse(PodUserPolicy.NONE);
    return new ProcessOptions(hostPaths, claims, logs, policy, requireLimits, hidden);
  }

  /** Returns the options of processes that run as Stint's own user. */
  public ProcessOptions processes() {
    return processes(_ -> true, Optional.empty());
  }

  /** Returns what the pods of a command in this process inherit. */
  public Surroundings surroundings(Map<String, String> environment) {
    return Surroundings.ofThisProcess(inherited.of(environment));
  }

  public ContainerOptions containers() {
    return new ContainerOptions(hostPaths, claims, logs);
  }
}
