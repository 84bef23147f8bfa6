package dev.stint.cli.share;

import dev.stint.apiserver.encryption.EncryptionConfiguration;
import dev.stint.cli.location.DataLocation;
import dev.stint.cli.plane.ControllerOptions;
import dev.stint.cli.plane.PodOptions;
import dev.stint.cli.plane.RuntimeKind;
import dev.stint.embedded.share.HolderInfo;
import dev.stint.embedded.share.MachineLimits;
import dev.stint.runner.process.user.Surroundings;
import dev.stint.store.StoreOptions;
import java.util.List;

/**
 * The options that apply to all pods of a data directory: those of the command that holds it.
 *
 * @param store the options of the store
 * @param surroundings what the pods of this command inherit
 * @param named the flags among these that the user has named
 */
public record MachineOptions(
    DataLocation data,
    RuntimeKind runtime,
    int maxPods,
    StoreOptions store,
    EncryptionConfiguration encryption,
    PodOptions pods,
    ControllerOptions controller,
    Surroundings surroundings,
    List<String> named) {
  /** Returns this process as the holder of the directory. */
  HolderInfo holder(String command) {
    return new HolderInfo(
        ProcessHandle.current().pid(),
        command,
        runtime.name(),
        encryption.digest(),
        limits(),
        pods.permissions());
  }

  /** Returns the limits of all pods together. */
  MachineLimits limits() {
    return pods.limits(maxPods);
  }

  /**
   * Returns these options with the limits and permissions of the command that held the directory
   * before: they hold as long as a command works there. Limits that the user of this command has
   * named hold from now.
   */
  MachineOptions after(HolderInfo earlier) {
    PodOptions permitted = pods.with(pods.permissions().and(earlier.permissions()));
    MachineLimits limits = earlier.limits();
    return limits == null
        ? with(maxPods, permitted)
        : with(
            named.contains("--max-pods") ? maxPods : limits.maxPods(),
            permitted.after(limits, named));
  }

  private MachineOptions with(int mostPods, PodOptions otherPods) {
    return new MachineOptions(
        data, runtime, mostPods, store, encryption, otherPods, controller, surroundings, named);
  }
}
