package dev.stint.runner.policy;

import dev.stint.runner.runtime.Exit;
import dev.stint.runner.spec.ContainerRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides the next step of a pod from the states of its containers ("Init Containers", "Sidecar
 * Containers"). Init containers run one after the other. A sidecar lets the next container begin
 * once it has started. Then the main containers run together. When the work is over, or the pod is
 * to end, sidecars end last, in the reverse of their start order.
 *
 * @param start containers to start now
 * @param stop containers to stop now; some may be stopping already
 * @param ending true if no container is restarted any more
 * @param done true if nothing of the pod runs or will run
 */
public record ContainerPlan<C extends ContainerPlan.Part>(
    List<C> start, List<C> stop, boolean ending, boolean done) {
  /** The state of a container that the plan reads. */
  public interface Part {
    ContainerRole role();

    /** True if a start of the container was ever requested. */
    boolean hasBegun();

    /** True if a process of the container may be running. */
    boolean isLive();

    /** Returns how the container ended for good; empty while it runs, or may be started. */
    Optional<Exit> finalExit();

    /** True if the next container in order may begin. */
    boolean hasPassed();
  }

  /**
   * Decides the plan.
   *
   * @param parts init containers and sidecars in their order, then the main ones
   * @param stopping true if the pod is to end before its time
   */
  public static <C extends Part> ContainerPlan<C> of(List<C> parts, boolean stopping) {
    if (!stopping && !isWorkOver(parts)) {
      return new ContainerPlan<>(toStart(parts), List.of(), false, false);
    }
    List<C> live = parts.stream().filter(Part::isLive).toList();
    List<C> workers = live.stream().filter(each -> each.role() != ContainerRole.SIDECAR).toList();
    if (!workers.isEmpty()) {
      return new ContainerPlan<>(List.of(), workers, true, false);
    }
    List<C> last = live.isEmpty() ? List.of() : List.of(live.getLast());
    return new ContainerPlan<>(List.of(), last, true, live.isEmpty());
  }

  /** True if an init container failed for good, or all main containers ended. */
  private static boolean isWorkOver(List<? extends Part> parts) {
    boolean mainEnded = true;
    for (Part part : parts) {
      Optional<Exit> end = part.finalExit();
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
      if (!part.hasBegun()) {
        start.add(part);
      }
      if (part.role() != ContainerRole.MAIN && !part.hasPassed()) {
        break;
      }
    }
    return start;
  }
}
