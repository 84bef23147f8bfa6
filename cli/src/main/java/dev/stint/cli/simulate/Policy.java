package dev.stint.cli.simulate;

import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.cli.submit.RequestedJob;
import dev.stint.runner.spec.ResourceAmount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Jobs and the room that they share: one side of a comparison, or all there is.
 *
 * @param name its name in a comparison
 */
record Policy(String name, Workload workload, Capacity room) {
  /**
   * Returns this policy if all its pods can run.
   *
   * @param where what messages about it begin with
   * @throws UserException if no pod of some Job fits the room
   */
  Policy checked(String where) {
    List<String> faults = new ArrayList<>();
    for (RequestedJob job : workload.jobs()) {
      String obstacle = Workload.obstacle(job, room.machine());
      if (obstacle != null) {
        faults.add(
            "%s: %s: spec.template.spec: no pod would ever run: %s"
                .formatted(where, Workload.name(job), obstacle));
      }
    }
    if (!faults.isEmpty()) {
      throw new UserException(ExitCode.USAGE, faults);
    }
    return this;
  }

  /** Returns a warning about a limit that limits nothing, since no pod requests the resource. */
  Optional<String> warning() {
    if (room.milliCpu() != null && isUnused(ResourceAmount::milliCpu)) {
      return Optional.of(warning("CPU", "cpu"));
    }
    return room.memoryBytes() != null && isUnused(ResourceAmount::memoryBytes)
        ? Optional.of(warning("memory", "memory"))
        : Optional.empty();
  }

  private boolean isUnused(ToLongFunction<ResourceAmount> resource) {
    return workload.jobs().stream()
        .allMatch(job -> resource.applyAsLong(Workload.requests(job)) == 0);
  }

  private static String warning(String what, String name) {
    return ("warning: no pod requests %s, so --machine-%s limits nothing; set "
            + "resources.requests.%s of the containers")
        .formatted(what, name, name);
  }

  /** Returns the names of its Jobs. */
  List<String> jobs() {
    return workload.jobs().stream().map(Workload::name).toList();
  }
}
