package dev.stint.runner;

import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to do next in a pod, given how its containers are ("Init Containers", "Sidecar Containers"):
 * init containers run one after the other, a sidecar lets the next one begin once it has started,
 * then the main containers run together. When the work is over, or the pod is to end, sidecars end
 * last, in the reverse of the order they began in.
 *
 * @param start containers that begin now
 * @param end containers that end now; those that are ending already may be among them
 * @param ending no container is restarted any more
 * @param over nothing of the pod runs, nor will
 */
record ContainerPlan<C extends ContainerPlan.Part>(
    List<C> start, List<C> end, boolean ending, boolean over) {
  /** What the plan needs to know of a container. */
  interface Part {
    ContainerRole role();

    /** Whether it was ever to be started. */
    boolean begun();

    /** Whether something of it may be running. */
    boolean live();

    /** How it ended for good; empty while it runs, or may be started. */
    Optional<Exit> ended();

    /** Whether it came as far as the next container in order needs it. */
    boolean passed();
  }

  /**
   * Decides.
   *
   * @param parts init containers and sidecars in their order, then the main ones
   * @param stopping whether the pod is to end before its time
   */
  static <C extends Part> ContainerPlan<C> of(List<C> parts, boolean stopping) {
    if (!stopping && !workOver(parts)) {
      return new ContainerPlan<>(toStart(parts), List.of(), false, false);
    }
    List<C> live = parts.stream().filter(Part::live).toList();
    List<C> workers = live.stream().filter(each -> each.role() != ContainerRole.SIDECAR).toList();
    if (!workers.isEmpty()) {
      return new ContainerPlan<>(List.of(), workers, true, false);
    }
    List<C> last = live.isEmpty() ? List.of() : List.of(live.getLast());
    return new ContainerPlan<>(List.of(), last, true, live.isEmpty());
  }

  /** Whether an init container failed for good, or all main containers ended. */
  private static boolean workOver(List<? extends Part> parts) {
    boolean mainEnded = true;
    for (Part part : parts) {
      Optional<Exit> end = part.ended();
      if (part.role() == ContainerRole.INIT && end.isPresent() && end.get().code() != 0) {
        return true;
      }
      mainEnded &= part.role() != ContainerRole.MAIN || end.isPresent();
    }
    return mainEnded;
  }

  private static <C extends Part> List<C> toStart(List<C> parts) {
    List<C> start = new ArrayList<>();
    for (C part : parts) {
      if (!part.begun()) {
        start.add(part);
      }
      if (part.role() != ContainerRole.MAIN && !part.passed()) {
        break;
      }
    }
    return start;
  }
}
