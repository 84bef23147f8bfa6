package dev.stint.runner;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * What to start.
 *
 * @param container the entry of {@code spec.containers}
 * @param restartCount how often the container was restarted so far
 * @param adoptOnly take over what an earlier life left, but start nothing: the pod is to end
 */
public record ContainerRun(
    KubeObject pod, ObjectNode container, int restartCount, boolean adoptOnly) {
  public String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }
}
