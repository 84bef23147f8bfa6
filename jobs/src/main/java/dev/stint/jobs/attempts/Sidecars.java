package dev.stint.jobs.attempts;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.spec.ContainerRole;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the sidecars of a Job's pods: containers that end with their pod, which is not a failure.
 */
public final class Sidecars {
  private Sidecars() {}

  /** Returns their names. */
  public static Set<String> of(KubeObject job) {
    Set<String> names = new HashSet<>();
    ObjectNode template = Json.objectAt(Json.objectAt(job.spec(), "template"), "spec");
    JsonNode init = Json.arrayAt(template, "initContainers");
    for (int i = 0; init != null && i < init.size(); i++) {
      String name = Json.text(init.get(i), "name");
      if (init.get(i) instanceof ObjectNode each
          && ContainerRole.ofInitContainer(each) == ContainerRole.SIDECAR
          && name != null) {
        names.add(name);
      }
    }
    return names;
  }
}
