package dev.stint.runner.runtime;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodInputs;
import tools.jackson.databind.node.ObjectNode;

/**
 * What to start.
 *
 * @param container the entry of {@code spec.containers} or {@code spec.initContainers}
 * @param restartCount how often the container was restarted so far
 * @param adoptOnly take over what an earlier life left, but start nothing: the pod is to end
 * @param inputs what the pod names beside itself
 */
public record ContainerRun(
    KubeObject pod, ObjectNode container, int restartCount, boolean adoptOnly, PodInputs inputs) {
  public String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }
}
