package dev.stint.cli.exec;

import dev.stint.cli.output.UserException;
import dev.stint.model.KubeObject;
import dev.stint.model.pod.ContainerNames;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The choice of one of a pod's containers. */
final class ContainerChoice {
  /** The annotation of a pod that names its container for commands (Kubernetes). */
  private static final String DEFAULT = "kubectl.kubernetes.io/default-container";

  private ContainerChoice() {}

  /**
   * Returns the container with a name, or that of the annotation, or the first one.
   *
   * @param named null if no name is given
   * @throws UserException if there is none of that name
   */
  static String of(KubeObject pod, @Nullable String named) {
    List<String> main = ContainerNames.of(pod, "containers");
    List<String> all =
        Stream.of(
                main,
                ContainerNames.of(pod, "initContainers"),
                ContainerNames.of(pod, "ephemeralContainers"))
            .flatMap(List::stream)
            .toList();
    if (named == null) {
      String preferred = pod.annotation(DEFAULT);
      return preferred != null && all.contains(preferred) ? preferred : main.getFirst();
    }
    if (!all.contains(named)) {
      throw new UserException(
          "the pod %s has no container \"%s\"; it has: %s"
              .formatted(pod.name(), named, String.join(", ", all)));
    }
    return named;
  }
}
