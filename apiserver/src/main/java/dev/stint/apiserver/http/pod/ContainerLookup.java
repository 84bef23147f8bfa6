package dev.stint.apiserver.http.pod;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.ContainerNames;
import java.util.List;

/** Finds the container of a pod that a request is about. */
final class ContainerLookup {
  private ContainerLookup() {}

  /**
   * @param named by the request; "" if it names none
   * @return the named one, or the only one
   */
  static String of(KubeObject pod, String named) {
    List<String> main = ContainerNames.of(pod, "containers");
    List<String> init = ContainerNames.of(pod, "initContainers");
    List<String> ephemeral = ContainerNames.of(pod, "ephemeralContainers");
    if (named.isEmpty()) {
      return only(pod.name(), main, init, ephemeral);
    }
    if (main.contains(named) || init.contains(named) || ephemeral.contains(named)) {
      return named;
    }
    throw notValid(pod.name(), named);
  }

  /**
   * Returns the container of a deleted pod, from what is kept of it; otherwise like {@link #of}.
   */
  static String kept(String pod, List<String> containers, String named) {
    if (named.isEmpty()) {
      return only(pod, containers, List.of(), List.of());
    }
    if (containers.contains(named)) {
      return named;
    }
    throw notValid(pod, named);
  }

  private static String only(
      String pod, List<String> main, List<String> init, List<String> ephemeral) {
    if (main.size() == 1) {
      return main.getFirst();
    }
    StringBuilder message =
        new StringBuilder("a container name must be specified for pod %s".formatted(pod));
    if (!main.isEmpty()) {
      message.append(", choose one of: ").append(listed(main));
    }
    if (!init.isEmpty()) {
      message.append(" or one of the init containers: ").append(listed(init));
    }
    if (!ephemeral.isEmpty()) {
      message.append(" or one of the ephemeral containers: ").append(listed(ephemeral));
    }
    throw new ClusterException(Reason.BAD_REQUEST, message.toString());
  }

  private static String listed(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }

  private static ClusterException notValid(String pod, String container) {
    return new ClusterException(
        Reason.BAD_REQUEST, "container %s is not valid for pod %s".formatted(container, pod));
  }
}
