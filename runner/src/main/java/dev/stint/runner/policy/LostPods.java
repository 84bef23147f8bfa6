package dev.stint.runner.policy;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ContainerRole;
import dev.stint.runner.spec.PodSpec;
import dev.stint.runner.status.StoredContainer;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides about pods of which nothing is left: a loss of power may take a pod's directory, and only
 * its stored status tells that it ran.
 */
public final class LostPods {
  private LostPods() {}

  /**
   * True if a pod that the machine took down is to be taken over, to report what was lost, rather
   * than begun as a new one. One that has init containers and starts its containers again begins
   * anew: what its init containers made is gone, too.
   *
   * @param isOfEarlierBoot true for the ID of a container that began before the machine did
   */
  public static boolean isToBeTakenOver(KubeObject pod, Predicate<String> isOfEarlierBoot) {
    if (Json.arrayAt(pod.status(), "containerStatuses") == null) {
      return false; // As of most pods, which are new.
    }
    List<ObjectNode> init = PodSpec.initContainers(pod);
    boolean anew = !init.isEmpty() && !"Never".equals(PodSpec.restartPolicy(pod));
    return !anew
        && (wasLost(pod, init, isOfEarlierBoot)
            || wasLost(pod, PodSpec.containers(pod), isOfEarlierBoot));
  }

  private static boolean wasLost(
      KubeObject pod, List<ObjectNode> containers, Predicate<String> isOfEarlierBoot) {
    for (ObjectNode container : containers) {
      String name = String.valueOf(Json.text(container, "name"));
      StoredContainer stored = StoredContainer.of(pod, name);
      if (stored.running()
          && isOfEarlierBoot.test(stored.containerId())
          && PodSpec.role(pod, name) != ContainerRole.SIDECAR) {
        return true;
      }
    }
    return false;
  }
}
