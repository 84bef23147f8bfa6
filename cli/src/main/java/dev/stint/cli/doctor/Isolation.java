package dev.stint.cli.doctor;

import dev.stint.runner.process.ProcessRuntime;
import java.util.List;
import java.util.Optional;

/**
 * The isolation of pods that run as processes.
 *
 * @param compiled true if the build has the compiled shim
 * @param noMounts why containers have no mounts of their own
 * @param noLimits why limits of CPU and memory are not enforced
 * @param noUsers why pods cannot run as other users
 * @param groups the version of control groups, or 0 for none
 */
record Isolation(
    boolean compiled,
    Optional<String> noMounts,
    Optional<String> noLimits,
    Optional<String> noUsers,
    int groups) {
  /**
   * Returns what this machine has, as {@code run} and {@code up} find it.
   *
   * @param groups the version of control groups, or 0 for none
   */
  static Isolation here(int groups) {
    return new Isolation(
        ProcessRuntime.hasCompiledShim(),
        ProcessRuntime.whyNoMounts(),
        ProcessRuntime.whyNoLimits(),
        ProcessRuntime.whyNoOtherUsers(),
        groups);
  }

  List<Finding> findings() {
    return List.of(
        compiled
            ? Finding.ok("shim", "compiled")
            : Finding.note(
                "shim",
                "shells start the processes, since this build has no compiled shim",
                "use a release, or install a C compiler (cc) and build again: short commands cost"
                    + " a third less"),
        noMounts
            .map(why ->
                Finding.note(
                    "mounts",
                    "pods have none of their own: " + why,
                    "pods with volumes at paths that exist are refused; run stint as root, or allow"
                        + " user namespaces (docs/runner.md)"))
            .orElseGet(() -> Finding.ok("mounts", "containers have mount namespaces of their own")),
        noLimits
            .map(why ->
                Finding.note(
                    "limits",
                    "resources.limits of CPU and memory are not enforced ("
                        + (groups == 0 ? "no control groups" : "control groups, version " + groups)
                        + ")",
                    why.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + why.substring(1)))
            .orElseGet(() ->
                Finding.ok(
                    "limits",
                    "those of CPU and memory are enforced (control groups, version %d)"
                        .formatted(groups))),
        noUsers
            .map(why ->
                Finding.note(
                    "pod users",
                    "pods run as this user",
                    "for stint up --pod-user: " + why.replaceFirst(", or remove it$", "")))
            .orElseGet(() -> Finding.ok("pod users", "stint up --pod-user can use others")));
  }
}
