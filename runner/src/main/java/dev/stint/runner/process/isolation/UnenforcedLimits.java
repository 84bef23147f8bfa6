package dev.stint.runner.process.isolation;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.field.FieldError;
import dev.stint.runner.spec.ResourceLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds limits of CPU and memory that this machine does not enforce for Stint's user. */
public final class UnenforcedLimits {
  private final Supplier<Cgroups> groups;

  UnenforcedLimits(Supplier<Cgroups> groups) {
    this.groups = groups;
  }

  /** Returns an instance about this machine and this program's user. */
  public static UnenforcedLimits here() {
    return new UnenforcedLimits(Cgroups::here);
  }

  /** True if there is a kind of limit that cannot be enforced. */
  public boolean isPossible() {
    return !groups.get().unmet(new ResourceLimits(1L, 1L)).isEmpty();
  }

  /** Returns why limits are not enforced, and what to do. */
  public static String why() {
    String runtimeDir = System.getenv("XDG_RUNTIME_DIR");
    boolean manager = runtimeDir != null && Files.isDirectory(Path.of(runtimeDir, "systemd"));
    return "this user cannot write to any control group for them; run Stint as root, or "
        + (manager ? "by systemd-run --user --scope -p Delegate=yes" : "in a delegated group")
        + " (docs/runner.md)";
  }

  /**
   * Returns the limits of a pod, or of a pod template, that are not enforced.
   *
   * @param pathPrefix the path of the template; empty for a pod
   */
  public List<FieldError> of(KubeObject podOrTemplate, String pathPrefix) {
    List<FieldError> found = new ArrayList<>();
    String spec = pathPrefix.isEmpty() ? "spec" : pathPrefix + ".spec";
    for (String list : List.of("initContainers", "containers")) {
      ArrayNode containers = Json.arrayAt(podOrTemplate.spec(), list);
      for (int i = 0; containers != null && i < containers.size(); i++) {
        if (containers.get(i) instanceof ObjectNode container) {
          String limits = spec + "." + list + "[" + i + "].resources.limits.";
          unmet(ResourceLimits.of(container)).stream()
              .map(name ->
                  new FieldError(
                      limits + name, FieldError.Type.NOT_SUPPORTED, "is not enforced: " + why()))
              .forEach(found::add);
        }
      }
    }
    return found;
  }

  /** Returns the limits that are not enforced; groups are only made for a container with limits. */
  private List<String> unmet(ResourceLimits limits) {
    return limits.isEmpty() ? List.of() : groups.get().unmet(limits);
  }
}
