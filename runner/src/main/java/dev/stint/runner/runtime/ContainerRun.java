package dev.stint.runner.runtime;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.PodInputs;
import tools.jackson.databind.node.ObjectNode;

/**
 * A container to start.
 *
 * @param container the entry of {@code spec.containers} or {@code spec.initContainers}
 * @param restartCount the number of restarts of the container so far
 * @param adoptOnly true to take over the attempt of an earlier life, but start none: the pod is to
 *     end
 * @param inputs the objects that the pod names
 */
public record ContainerRun(
    KubeObject pod, ObjectNode container, int restartCount, boolean adoptOnly, PodInputs inputs) {
  public String name() {
    String name = Json.text(container, "name");
    return name == null ? "" : name;
  }
}
